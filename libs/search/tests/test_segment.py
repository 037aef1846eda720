import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from brain.search.fields import WeighedChunk
from brain.search.segment import GONE, build_segment, merge_segments

CHUNKS = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 255), max_size=6).map(
        lambda weights: WeighedChunk(weights, sum(weights.values()))
    ),
    max_size=30,
)


def same(one, other):
    assert list(one.blocks.items()) == list(other.blocks.items())
    assert one.lengths.tolist() == other.lengths.tolist()


def test_chunks_are_numbered_in_their_order():
    segment = build_segment([WeighedChunk({"b": 4, "a": 8}, 12), WeighedChunk({"a": 1}, 1)])

    assert list(segment.blocks) == ["a", "b"]
    assert segment.lengths.tolist() == [12, 1]


def test_no_chunks_make_an_empty_segment():
    assert build_segment([]).blocks == {}


@given(CHUNKS, st.randoms(use_true_random=False))
def test_segments_merge_to_what_a_whole_build_makes(chunks, random):
    fates = [random.choice(["old", "new", "gone"]) for _ in chunks]
    kept = [chunk for chunk, fate in zip(chunks, fates, strict=True) if fate != "gone"]
    number_of = iter(range(len(kept)))
    new_numbers = [GONE if fate == "gone" else next(number_of) for fate in fates]
    parts = {
        "old": [at for at, fate in enumerate(fates) if fate != "new"],
        "new": [at for at, fate in enumerate(fates) if fate == "new"],
    }

    merged = merge_segments(
        [build_segment(chunks[at] for at in part) for part in parts.values()],
        [np.array([new_numbers[at] for at in part], np.int32) for part in parts.values()],
    )

    same(merged, build_segment(kept))


@given(CHUNKS)
def test_the_order_of_terms_within_a_chunk_changes_nothing(chunks):
    turned = [WeighedChunk(dict(reversed(each.weights.items())), each.length) for each in chunks]

    same(build_segment(turned), build_segment(chunks))
