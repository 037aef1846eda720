import pytest

from brain.assessment.intervals import intervals_of
from brain.assessment.measures import Outcome, mean_of, measure


def test_measures_of_two_things_of_which_one_is_seventh():
    told = measure(Outcome((1, 7), (1.0, 1.0)))

    assert told["recall@5"] == 0.5
    assert told["recall@10"] == 1.0
    assert told["mrr"] == 1.0
    assert told["ndcg@10"] == pytest.approx((1 + 1 / 3) / (1 + 0.6309297535714575))


def test_what_stands_beyond_the_tenth_place_is_not_found():
    assert set(measure(Outcome((11, 0), (1.0, 1.0))).values()) == {0.0}


def test_grades_count_in_ndcg_alone():
    told = measure(Outcome((2, 1), (3.0, 1.0)))

    assert told["recall@5"] == 1.0
    assert told["ndcg@10"] == pytest.approx((1 + 3 / 1.584962500721156) / (3 + 0.6309297535714575))


def test_one_hit_that_is_two_things_is_not_more_than_perfect():
    assert measure(Outcome((1, 1), (1.0, 1.0)))["ndcg@10"] == 1.0


def test_means_and_intervals_of_nothing_are_nothing():
    assert mean_of([]) == {}
    assert intervals_of([]) == {}


def test_intervals_are_the_same_every_time_and_hold_the_mean():
    measured = [measure(Outcome((rank,), (1.0,))) for rank in (1, 2, 3, 0, 1, 1, 8, 0, 5, 2)]

    low, high = intervals_of(measured)["mrr"]

    assert intervals_of(measured) == intervals_of(measured)
    assert low < mean_of(measured)["mrr"] < high
