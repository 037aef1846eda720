"""Segments: postings of some chunks, built once and never changed.

A whole build makes one segment. An incremental build adds one of the chunks it made and says which
chunks of older segments are gone. Segments merge into one that equals, byte for byte, what a whole
build makes of the chunks still there.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brain.search.chunk import Chunk
from brain.search.posting_block import (
    EMPTY,
    Numbers,
    Postings,
    decode_block,
    encode_blocks,
)
from brain.search.posting_collector import Collected, PostingCollector
from brain.search.vocabulary import Vocabulary

#: Lengths of chunks by number.
Lengths = npt.NDArray[np.int32]
#: Where each chunk of a segment goes in a merge: its new number, or `GONE`.
GONE = -1
_WEIGHT_BITS = 8
_TERM_SHIFT = _WEIGHT_BITS + 31


class Segment(msgspec.Struct, frozen=True):
    """Postings by term and the lengths of the chunks, numbered from 0 in the order given."""

    #: Term to posting block, in order of the terms.
    blocks: dict[str, bytes]
    lengths: Lengths


class SegmentBuilder:
    """Puts together what was collected of chunks, in their order.

    It holds about 5 bytes a posting and 100 a term until `finish`.
    """

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._term_of = array("i")
        self._weights = bytearray()
        self._sizes = array("i")
        self._lengths = array("i")

    def absorb(self, other: Collected) -> None:
        """Add chunks behind those that are here; their numbers go on."""
        terms = self._terms
        places = np.array([terms.setdefault(term, len(terms)) for term in other.terms], np.int32)
        self._term_of.frombytes(places[np.frombuffer(other.term_of, np.int32)].tobytes())
        self._weights += other.weights
        self._sizes.frombytes(other.sizes)
        self._lengths.frombytes(other.lengths)

    def finish(self) -> Segment:
        """Sort what was added into posting blocks."""
        order = sorted(self._terms)
        postings = self._sorted_postings(order)
        bounds = np.searchsorted(postings, np.arange(len(order) + 1) << _TERM_SHIFT)
        weights = postings.astype(np.uint8)
        postings >>= _WEIGHT_BITS
        postings &= (1 << _TERM_SHIFT - _WEIGHT_BITS) - 1
        blocks = encode_blocks(np.diff(bounds), Postings(postings.astype(np.int32), weights))
        return Segment(dict(zip(order, blocks, strict=True)), np.array(self._lengths, np.int32))

    def _sorted_postings(self, order: Sequence[str]) -> npt.NDArray[np.int64]:
        """Return term, chunk and weight of each posting in one number, in this order, sorted.

        They are what a build holds most of: nothing is copied that need not be.
        """
        place_of = np.empty(len(order), np.int64)
        place_of[[self._terms[term] for term in order]] = np.arange(len(order)) << _TERM_SHIFT
        postings = place_of[np.array(self._term_of, np.int32)]
        sizes = np.array(self._sizes, np.int64)
        postings |= np.repeat(np.arange(len(sizes)) << _WEIGHT_BITS, sizes)
        postings |= np.array(self._weights, np.uint8)
        postings.sort()
        return postings


def build_segment(chunks: Iterable[Chunk]) -> Segment:
    """Build the segment of *chunks*, numbered in their order."""
    collector = PostingCollector(Vocabulary())
    for chunk in chunks:
        collector.add(chunk)
    builder = SegmentBuilder()
    for collected in collector.collected():
        builder.absorb(collected)
    return builder.finish()


def merge_segments(segments: Sequence[Segment], numbers: Sequence[Numbers]) -> Segment:
    """Merge segments into one.

    Args:
        segments: any order.
        numbers: for each segment the new number of each of its chunks, or `GONE`. The new numbers
            are 0 to n - 1, each once over all segments; when they follow the order a whole build
            would give, the result is equal to its.
    """
    total = sum(int((each != GONE).sum()) for each in numbers)
    lengths = np.zeros(total, np.int32)
    for segment, renumbered in zip(segments, numbers, strict=True):
        kept = renumbered != GONE
        lengths[renumbered[kept]] = segment.lengths[kept]
    merged = dict(merged_postings([each.blocks for each in segments], numbers))
    counts = np.array([len(each.numbers) for each in merged.values()], np.int64)
    blocks = encode_blocks(counts, chained_postings(list(merged.values())))
    return Segment(dict(zip(merged, blocks, strict=True)), lengths)


def merged_postings(
    blocks: Sequence[Mapping[str, bytes]], numbers: Sequence[Numbers]
) -> Iterator[tuple[str, Postings]]:
    """Yield every term that still has a posting, in order, with its postings renumbered."""
    for term in sorted(set().union(*blocks)):
        parts = [
            _renumbered(decode_block(each[term]), renumbered)
            for each, renumbered in zip(blocks, numbers, strict=True)
            if term in each
        ]
        postings = joined_postings(parts)
        if len(postings.numbers):
            yield term, postings


def layered_postings(blocks: Sequence[tuple[int, bytes]]) -> Postings:
    """Decode the blocks of one term from several segments under one numbering.

    Args:
        blocks: for each segment that holds the term, how many chunks the segments before it have,
            gone ones counted, and the block.
    """
    parts = [(first, decode_block(block)) for first, block in blocks]
    return joined_postings(
        [Postings(each.numbers + np.int32(first), each.weights) for first, each in parts]
    )


def joined_postings(parts: Sequence[Postings]) -> Postings:
    """Join postings of one term, at least one, that have no chunk in common."""
    joined = parts[0] if len(parts) == 1 else chained_postings(parts)
    numbers, weights = joined.numbers, joined.weights
    if np.all(numbers[1:] > numbers[:-1]):
        return Postings(numbers, weights)
    order = np.argsort(numbers)
    return Postings(numbers[order], weights[order])


def chained_postings(parts: Sequence[Postings]) -> Postings:
    """Return postings one after another as they are."""
    return Postings(
        np.concatenate([EMPTY.numbers, *(each.numbers for each in parts)]),
        np.concatenate([EMPTY.weights, *(each.weights for each in parts)]),
    )


def _renumbered(postings: Postings, numbers: Numbers) -> Postings:
    found = numbers[postings.numbers]
    kept = found != GONE
    return Postings(found[kept], postings.weights[kept])
