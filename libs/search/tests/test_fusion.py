import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from brain.search.fusion import (
    Leg,
    Place,
    fuse_ranks,
    fuse_scores,
    keyword_weight,
    limit_per_document,
    vector_weight,
)
from brain.search.nearness import Nearness

FUSIONS = pytest.mark.parametrize("fuse", [fuse_ranks, fuse_scores])


def ids(fused):
    return [each.id for each in fused]


def test_ranks_add_up():
    keyword = Leg("keyword", ["a", "b"], [9.0, 8.0])
    vector = Leg("vector", ["b", "c"], [0.9, 0.8])

    fused = fuse_ranks([keyword, vector])

    assert ids(fused) == ["b", "a", "c"]
    assert fused[0].score == 1 / 62 + 1 / 61
    assert fused[0].places == (Place("keyword", 2, 8.0), Place("vector", 1, 0.9))


def test_a_tail_counts_a_quarter_at_its_rank():
    fused = fuse_ranks([Leg("keyword", ["a", "b"], [5.0, 7.0], head=1)])

    assert [each.score for each in fused] == [1 / 61, 0.25 / 62]


def test_a_leg_without_a_head_counts_fully():
    assert fuse_ranks([Leg("keyword", ["a"], [5.0], head=0)])[0].score == 1 / 61


def test_scores_keep_how_far_the_best_is_ahead():
    sure = Leg("keyword", ["a", "b", "c"], [9.0, 2.0, 1.0])
    other = Leg("vector", ["b", "c", "a"], [0.5, 0.4, 0.3])

    assert ids(fuse_scores([sure, other])) == ["b", "a", "c"]
    assert ids(fuse_scores([sure, replace(other, weight=0.5)])) == ["a", "b", "c"]


def test_three_legs_are_fused_like_two():
    legs = [Leg(name, ["a"], [1.0]) for name in ("keyword", "vector", "graph")]

    assert [place.leg for place in fuse_ranks(legs)[0].places] == ["keyword", "vector", "graph"]


@FUSIONS
def test_a_leg_without_weight_adds_nothing(fuse):
    assert ids(fuse([Leg("k", ["a"], [1.0]), Leg("v", ["b"], [1.0], weight=0)])) == ["a"]


@FUSIONS
def test_equal_scores_go_by_id(fuse):
    assert ids(fuse([Leg("k", ["b"], [1.0]), Leg("v", ["a"], [5.0])])) == ["a", "b"]


@FUSIONS
def test_nothing_fuses_to_nothing(fuse):
    assert fuse([]) == fuse([Leg("k", [], [])]) == []


@FUSIONS
@given(st.lists(st.integers(0, 100), min_size=1, max_size=20))
def test_one_leg_alone_keeps_its_order(fuse, numbers):
    scores = sorted(map(float, numbers), reverse=True)
    names = [f"{at:02}" for at in range(len(scores))]

    assert ids(fuse([Leg("k", names, scores)])) == names


def test_at_most_so_many_of_a_document():
    fused = fuse_ranks([Leg("k", ["a1", "a2", "a3", "b1"], [4.0, 3.0, 2.0, 1.0])])

    assert ids(limit_per_document(fused, {each.id: each.id[0] for each in fused}, 2)) == [
        "a1",
        "a2",
        "b1",
    ]


@pytest.mark.parametrize(("strength", "weight"), [(0.0, 0.01), (0.1, 0.1), (0.9, 0.9)])
def test_a_keyword_leg_counts_as_much_as_it_holds_of_the_question(strength, weight):
    assert keyword_weight(strength) == weight


@pytest.mark.parametrize(("lead", "weight"), [(0.0, 0.01), (0.1, 0.2), (0.3, 0.6)])
def test_a_vector_leg_counts_as_much_as_its_best_is_ahead(lead, weight):
    assert vector_weight(Nearness(best=0.5, lead=lead), trust=2.0) == pytest.approx(weight)


def test_a_leg_whose_best_is_not_ahead_does_not_drown_the_other():
    keyword = Leg("keyword", ["a", "b"], [5.0, 1.0], weight=keyword_weight(0.1))
    vector = Leg("vector", ["b", "a"], [0.42, 0.4], weight=vector_weight(Nearness(0.4, 0.02), 2.0))

    assert ids(fuse_scores([keyword, vector])) == ["a", "b"]
