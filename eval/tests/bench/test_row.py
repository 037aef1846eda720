import pytest

from brain.evaluation.bench.row import Goal, Size

SIZE = Size(documents=10_000, text_bytes=45_000_000, commits=22_900, idle_s=15)


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [(1.0, "met"), (16.0, "met"), (16.1, "missed"), (32.0, "missed"), (32.1, "failed")],
)
def test_a_ratio_may_reach_its_goal_be_missed_or_fail_beyond_twice(ratio, verdict):
    assert Goal(16).judge(ratio) == verdict


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (1.0, "met"),
        (0.4, "met"),
        (0.39, "missed"),
        (0.2, "missed"),
        (0.19, "failed"),
        (0, "failed"),
    ],
)
def test_where_more_is_better_half_of_the_goal_is_the_least(ratio, verdict):
    assert Goal(0.4, at_least=True).judge(ratio) == verdict


@pytest.mark.parametrize(
    ("goal", "applies"),
    [
        (Goal(1), True),
        (Goal(1, fewest_documents=10_000), True),
        (Goal(1, fewest_documents=10_001), False),
        (Goal(1, most_documents=9_999), False),
        (Goal(1, fewest_commits=22_901), False),
        (Goal(1, shortest_idle_s=90), False),
    ],
)
def test_a_goal_applies_to_sizes(goal, applies):
    assert goal.applies_to(SIZE) is applies
