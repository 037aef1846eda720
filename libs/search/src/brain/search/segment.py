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

from brain.search.fields import WeighedChunk
from brain.search.posting_block import (
    Numbers,
    Postings,
    decode_block,
    encode_block,
    encode_few,
    encode_one,
)

#: Lengths of chunks by number.
Lengths = npt.NDArray[np.int32]
#: Where each chunk of a segment goes in a merge: its new number, or `GONE`.
GONE = -1
#: Postings of one term that are encoded sooner without arrays.
_FEW = 12


class Segment(msgspec.Struct, frozen=True):
    """Postings by term and the lengths of the chunks, numbered from 0 in the order given."""

    #: Term to posting block, in order of the terms.
    blocks: dict[str, bytes]
    lengths: Lengths


class Collected(msgspec.Struct, frozen=True):
    """What a `SegmentBuilder` collected, as it travels between processes."""

    terms: list[str]
    #: Of each posting, in the order of the chunks: place of its term in *terms* (int32), weight.
    term_of: bytes
    weights: bytes
    #: Of each chunk: how many postings it has, and its length (int32 each).
    sizes: bytes
    lengths: bytes


class SegmentBuilder:
    """Collects chunks in their order; about 5 bytes a posting and 100 a term until `finish`."""

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._term_of = array("i")
        self._weights = bytearray()
        self._sizes = array("i")
        self._lengths = array("i")

    def add(self, chunk: WeighedChunk) -> None:
        """Add the next chunk; its number is how many were added before."""
        terms = self._terms
        self._term_of.extend([terms.setdefault(term, len(terms)) for term in chunk.weights])
        self._weights += bytes(chunk.weights.values())
        self._sizes.append(len(chunk.weights))
        self._lengths.append(chunk.length)

    def collected(self) -> Collected:
        """Return what was collected so far, for another builder to absorb."""
        return Collected(
            list(self._terms),
            self._term_of.tobytes(),
            bytes(self._weights),
            self._sizes.tobytes(),
            self._lengths.tobytes(),
        )

    def absorb(self, other: Collected) -> None:
        """Add the chunks that another builder collected behind those that are here."""
        terms = self._terms
        places = np.array([terms.setdefault(term, len(terms)) for term in other.terms], np.int32)
        self._term_of.frombytes(places[np.frombuffer(other.term_of, np.int32)].tobytes())
        self._weights += other.weights
        self._sizes.frombytes(other.sizes)
        self._lengths.frombytes(other.lengths)

    def finish(self) -> Segment:
        """Sort what was added into posting blocks."""
        term_of = np.frombuffer(self._term_of, np.int32) if self._term_of else np.empty(0, np.int32)
        order = np.argsort(term_of, kind="stable")
        sizes = np.array(self._sizes, np.int32)
        chunk_of = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)[order]
        weights = np.frombuffer(bytes(self._weights), np.uint8)[order]
        ends = np.cumsum(np.bincount(term_of, minlength=len(self._terms))).tolist()
        starts = dict(zip(self._terms, [0, *ends], strict=False))
        blocks = {}
        numbers, packed = chunk_of.tolist(), weights.tobytes()
        for term in sorted(self._terms):
            start, end = starts[term], ends[self._terms[term]]
            if end - start == 1:
                blocks[term] = encode_one(numbers[start], packed[start])
            elif end - start <= _FEW:
                blocks[term] = encode_few(numbers[start:end], packed[start:end])
            else:
                blocks[term] = encode_block(Postings(chunk_of[start:end], weights[start:end]))
        return Segment(blocks, np.array(self._lengths, np.int32))


def build_segment(chunks: Iterable[WeighedChunk]) -> Segment:
    """Build the segment of *chunks*, numbered in their order."""
    builder = SegmentBuilder()
    for chunk in chunks:
        builder.add(chunk)
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
    blocks = {
        term: encode_block(postings)
        for term, postings in merged_postings([each.blocks for each in segments], numbers)
    }
    return Segment(blocks, lengths)


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
    if len(parts) == 1:
        numbers, weights = parts[0].numbers, parts[0].weights
    else:
        numbers = np.concatenate([each.numbers for each in parts])
        weights = np.concatenate([each.weights for each in parts])
    if np.all(numbers[1:] > numbers[:-1]):
        return Postings(numbers, weights)
    order = np.argsort(numbers)
    return Postings(numbers[order], weights[order])


def _renumbered(postings: Postings, numbers: Numbers) -> Postings:
    found = numbers[postings.numbers]
    kept = found != GONE
    return Postings(found[kept], postings.weights[kept])
