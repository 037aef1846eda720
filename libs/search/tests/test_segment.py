import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from brain.search.posting_collector import Collected
from brain.search.segment import GONE, SegmentBuilder, merge_segments

CHUNKS = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 255), max_size=6), max_size=30
)


def segment_of(chunks):
    """Build the segment of chunks given as weights by term."""
    builder = SegmentBuilder()
    for chunk in chunks:
        builder.absorb(
            Collected(
                list(chunk),
                np.arange(len(chunk), dtype=np.int32).tobytes(),
                bytes(chunk.values()),
                np.array([len(chunk)], np.int32).tobytes(),
                np.array([sum(chunk.values())], np.int32).tobytes(),
            )
        )
    return builder.finish()


def same(one, other):
    assert list(one.blocks.items()) == list(other.blocks.items())
    assert one.lengths.tolist() == other.lengths.tolist()


def test_chunks_are_numbered_in_their_order():
    segment = segment_of([{"b": 4, "a": 8}, {"a": 1}])

    assert list(segment.blocks) == ["a", "b"]
    assert segment.lengths.tolist() == [12, 1]


def test_no_chunks_make_an_empty_segment():
    assert segment_of([]).blocks == {}


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
        [segment_of(chunks[at] for at in part) for part in parts.values()],
        [np.array([new_numbers[at] for at in part], np.int32) for part in parts.values()],
    )

    same(merged, segment_of(kept))


@given(CHUNKS)
def test_the_order_of_terms_within_a_chunk_changes_nothing(chunks):
    turned = [dict(reversed(each.items())) for each in chunks]

    same(segment_of(turned), segment_of(chunks))
