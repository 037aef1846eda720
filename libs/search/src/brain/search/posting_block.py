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
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
Weights = npt.NDArray[np.uint8]

_ONE = struct.Struct("<BIB")
_U1 = np.dtype("<u1")
_U2 = np.dtype("<u2")
_U4 = np.dtype("<u4")
_BYTE = 0xFF
_SHORT = 2


class Postings(msgspec.Struct, frozen=True):
    """Chunks that hold a term: ascending numbers, none twice, and the term's weight in each."""

    numbers: Numbers
    weights: Weights


EMPTY = Postings(np.empty(0, np.int32), np.empty(0, np.uint8))


def encode_one(number: int, weight: int) -> bytes:
    """Encode a single posting, as `encode_block` does."""
    return _ONE.pack(0, number, weight)


def encode_few(numbers: Sequence[int], weights: bytes) -> bytes:
    """Encode a handful of postings, at least two, as `encode_block` does, without its arrays."""
    gaps = [numbers[0], *(after - before for before, after in pairwise(numbers))]
    large = [(at, gap >> 8) for at, gap in enumerate(gaps) if gap > _BYTE]
    sizes = {1: len(gaps) + 8 * len(large) + 4, 2: 2 * len(gaps), 4: 4 * len(gaps)}
    if max(gaps) >= 1 << 16:
        del sizes[2]
    kind = min(sizes, key=lambda each: (sizes[each], each))
    if kind > 1:
        code = "H" if kind == _SHORT else "I"
        return bytes((kind,)) + struct.pack(f"<{len(gaps)}{code}", *gaps) + weights
    lacking = (*(at for at, _ in large), *(more for _, more in large))
    head = struct.pack(f"<BI{len(lacking)}I", 1, len(large), *lacking)
    return head + bytes(gap & _BYTE for gap in gaps) + weights


def encode_block(postings: Postings) -> bytes:
    """Encode postings; at least one."""
    numbers = postings.numbers.astype(np.uint32)
    weights = postings.weights.tobytes()
    if len(numbers) == 1:
        return encode_one(int(numbers[0]), weights[0])
    gaps = np.diff(numbers, prepend=np.uint32(0))
    large = np.flatnonzero(gaps > _BYTE)
    sizes = {1: len(gaps) + 8 * len(large) + 4, 2: 2 * len(gaps), 4: 4 * len(gaps)}
    if int(gaps.max()) >= 1 << 16:
        del sizes[2]
    kind = min(sizes, key=lambda each: (sizes[each], each))
    if kind > 1:
        return bytes((kind,)) + gaps.astype(_U2 if kind == _SHORT else _U4).tobytes() + weights
    head = struct.pack("<BI", 1, len(large))
    lacking = large.astype(_U4).tobytes() + (gaps[large] >> 8).astype(_U4).tobytes()
    return head + lacking + (gaps & _BYTE).astype(np.uint8).tobytes() + weights


def decode_block(block: bytes) -> Postings:
    """Decode what `encode_block` returned; arrays of its own size, weights read-only."""
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
