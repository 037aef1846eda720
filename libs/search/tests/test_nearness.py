import pytest

from brain.search.nearness import Nearness, nearness_of


def test_cosines_count_above_what_unrelated_texts_have():
    assert nearness_of([0.5, 0.3, 0.1], 0.0) == Nearness(pytest.approx(0.5), pytest.approx(0.2))
    assert nearness_of([0.88, 0.82], 0.76) == Nearness(pytest.approx(0.5), pytest.approx(0.125))


def test_what_is_no_nearer_than_unrelated_texts_is_not_near():
    assert nearness_of([0.6, 0.6], 0.76) == Nearness(0.0, 0.0)


def test_one_chunk_alone_is_not_ahead():
    assert nearness_of([0.7], 0.0) == Nearness(0.7, 0.0)
