import pytest

from brain.evaluation.bench.row import Goal, Row, Sample, Size
from brain.evaluation.bench.verdict import exit_code, percentile, result_of

SIZE = Size(documents=10_000, text_bytes=45_000_000, commits=22_900, idle_s=15)


def row(*goals: Goal) -> Row:
    return Row("search", "a search", "s", "a peer", goals)


def test_the_median_of_the_ratios_is_judged():
    samples = [Sample(1.0, 1.0), Sample(9.0, 3.0), Sample(4.0, 2.0)]

    result = result_of(row(Goal(2)), samples, SIZE)

    assert (result.ours, result.peer, result.ratio, result.verdict) == (4.0, 2.0, 2.0, "met")


def test_the_first_goal_that_applies_counts():
    small, large = Goal(1, most_documents=2_000), Goal(8, fewest_documents=5_000)

    result = result_of(row(small, large), [Sample(6.0, 1.0)], SIZE)

    assert (result.goal, result.verdict) == (8, "met")


def test_a_goal_for_another_size_is_shown_and_not_judged():
    result = result_of(row(Goal(1, most_documents=2_000)), [Sample(6.0, 1.0)], SIZE)

    assert (result.ratio, result.goal, result.verdict) == (6.0, 1, "other size")
    assert exit_code([result]) == 0


def test_a_row_without_a_goal_is_shown():
    result = result_of(row(), [Sample(6.0, 1.0)], SIZE)

    assert (result.ratio, result.goal, result.verdict) == (6.0, None, "no goal")
    assert exit_code([result]) == 0


def test_a_missing_peer_keeps_the_row_and_fails_the_run():
    result = result_of(row(Goal(2)), [Sample(3.0, None)], SIZE)

    assert (result.ours, result.ratio, result.verdict) == (3.0, None, "no peer")
    assert exit_code([result]) == 1


def test_a_row_that_nothing_measured_is_an_error():
    result = result_of(row(Goal(2)), [], SIZE)

    assert (result.verdict, result.note) == ("error", "nothing was measured")
    assert exit_code([result]) == 1


def test_a_row_that_broke_is_an_error_even_with_samples():
    result = result_of(row(Goal(2)), [Sample(1.0, 1.0)], SIZE, "TimeoutError: ")

    assert (result.ours, result.verdict) == (1.0, "error")


def test_a_peer_of_zero_is_an_error_and_no_division():
    assert result_of(row(Goal(2)), [Sample(1.0, 0.0)], SIZE).verdict == "error"


@pytest.mark.parametrize(("ratio", "code"), [(2.0, 0), (4.0, 0), (4.1, 1)])
def test_only_what_is_over_twice_its_goal_fails_the_run(ratio, code):
    assert exit_code([result_of(row(Goal(2)), [Sample(ratio, 1.0)], SIZE)]) == code


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([1], 0.95, 1), (range(1, 21), 0.95, 19), (range(1, 101), 0.95, 95), ([3, 1, 2], 0.5, 2)],
)
def test_a_percentile_is_one_of_the_values(values, share, expected):
    assert percentile(values, share) == expected


def test_a_percentile_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)
