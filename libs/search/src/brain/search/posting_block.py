"""Posting blocks: the chunks that hold one term, in as few bytes as numpy decodes at once.

A block is bytes: a kind, then what the kind says. Little-endian throughout.

- kind 0: one posting: its number (uint32) and weight (uint8).
- kinds 2 and 4: gaps of two or four bytes each, then weights of one byte each.
- kind 1: how many gaps do not fit one byte (uint32), the positions of these and what they lack
  (uint32 each), then gaps and weights of one byte each.

A gap is a number less the one before it; the first is the first number. The smallest kind is
taken, so equal postings are equal bytes. Source: docs/decisions/0015-posting-blocks.md.
"""

import struct
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
Weights = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]

_ONE = struct.Struct("<BIB")
_U1 = np.dtype("<u1")
_U2 = np.dtype("<u2")
_U4 = np.dtype("<u4")
_BYTE = 0xFF
#: Bytes of a gap by kind of block.
_WIDTHS = np.array([4, 1, 2, 0, 4])
#: Postings that are encoded at once; about a hundred bytes of memory each.
_POSTINGS_AT_ONCE = 1 << 20


class Postings(msgspec.Struct, frozen=True):
    """Chunks that hold a term: ascending numbers, none twice, and the term's weight in each."""

    numbers: Numbers
    weights: Weights


EMPTY = Postings(np.empty(0, np.int32), np.empty(0, np.uint8))


def encode_blocks(counts: Counts, postings: Postings) -> Iterator[bytes]:
    """Encode the postings of many terms at once, a block for each.

    Args:
        counts: of each term, how many postings it has; at least one.
        postings: those of the first term, then of the next; ascending within each.
    """
    ends = np.cumsum(counts, dtype=np.int64)
    first = done = 0
    while first < len(counts):
        last = max(first + 1, int(np.searchsorted(ends, done + _POSTINGS_AT_ONCE, "right")))
        end = int(ends[last - 1])
        part = Postings(postings.numbers[done:end], postings.weights[done:end])
        yield from _encode_part(counts[first:last].astype(np.int64), part)
        first, done = last, end


def _encode_part(counts: Counts, postings: Postings) -> Iterator[bytes]:
    firsts = _starts(counts)
    gaps = np.diff(postings.numbers, prepend=np.int32(0))
    gaps[firsts] = postings.numbers[firsts]
    larges = np.add.reduceat(gaps > _BYTE, firsts, dtype=np.int64)
    kinds = _kinds(counts, larges, np.maximum.reduceat(gaps, firsts))
    larges[kinds != 1] = 0
    heads = 1 + np.where(kinds == 1, 4 + 8 * larges, 0)
    sizes = heads + (_WIDTHS[kinds] + 1) * counts
    starts = _starts(sizes)
    blocks = np.zeros(int(sizes.sum()), np.uint8)
    blocks[starts] = kinds
    place = np.arange(len(gaps)) - np.repeat(firsts, counts)
    gaps_at = np.repeat(starts + heads, counts)
    width = np.repeat(_WIDTHS[kinds], counts)
    for each in (1, 2, 4):
        of_width = np.flatnonzero(width == each)
        _write(blocks, gaps_at[of_width] + each * place[of_width], gaps[of_width], each)
    blocks[gaps_at + width * np.repeat(counts, counts) + place] = postings.weights
    is_lacking = (gaps > _BYTE) & (width == 1)
    _write_lacking(blocks, starts, larges, place[is_lacking], gaps[is_lacking] >> 8)
    data = blocks.tobytes()
    return (data[at : at + size] for at, size in zip(starts.tolist(), sizes.tolist(), strict=True))


def _write_lacking(
    blocks: Weights, starts: Counts, larges: Counts, places: Counts, lacking: Numbers
) -> None:
    """Write what the gaps of blocks of kind 1 lack; *larges* says how many such gaps each has."""
    has = np.flatnonzero(blocks[starts] == 1)
    _write(blocks, starts[has] + 1, larges[has], 4)
    number = np.arange(len(places)) - np.repeat(_starts(larges), larges)
    at = np.repeat(starts, larges) + 5 + 4 * number
    _write(blocks, at, places, 4)
    _write(blocks, at + 4 * np.repeat(larges, larges), lacking, 4)


def _write(blocks: Weights, at: Counts, values: npt.NDArray[Any], width: int) -> None:
    """Write values of *width* bytes each, little-endian."""
    for byte in range(width):
        blocks[at + byte] = values >> 8 * byte & _BYTE


def _starts(sizes: Counts) -> Counts:
    return np.cumsum(sizes) - sizes


def _kinds(counts: Counts, larges: Counts, greatest: Numbers) -> Counts:
    """Return the kind of each block: the smallest, of equal ones the least."""
    bytes_of = {1: counts + 8 * larges + 4, 2: 2 * counts, 4: 4 * counts}
    is_short = (bytes_of[2] < bytes_of[1]) & (greatest < 1 << 16)
    kinds = np.where(is_short, 2, np.where(bytes_of[4] < bytes_of[1], 4, 1))
    return np.where(counts == 1, 0, kinds)


def decode_block(block: bytes) -> Postings:
    """Decode what `encode_blocks` made; arrays of its own size, weights read-only."""
    kind = block[0]
    if kind == 0:
        _, number, weight = _ONE.unpack(block)
        return Postings(np.array([number], np.int32), np.array([weight], np.uint8))
    at = 1
    large = 0
    if kind == 1:
        large = int.from_bytes(block[1:5], "little")
        at = 5 + 8 * large
    count = (len(block) - at) // (kind + 1)
    gaps = _gaps(block, kind, count, at)
    if large:
        positions = np.frombuffer(block, _U4, large, 5)
        gaps[positions] += np.frombuffer(block, _U4, large, 5 + 4 * large).astype(np.int32) << 8
    weights = np.frombuffer(block, np.uint8, count, at + kind * count)
    return Postings(np.cumsum(gaps, dtype=np.int32), weights)


def _gaps(block: bytes, kind: int, count: int, at: int) -> Numbers:
    match kind:
        case 1:
            return np.frombuffer(block, _U1, count, at).astype(np.int32)
        case 2:
            return np.frombuffer(block, _U2, count, at).astype(np.int32)
        case _:
            return np.frombuffer(block, _U4, count, at).astype(np.int32)
