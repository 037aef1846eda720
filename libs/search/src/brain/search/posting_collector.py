"""Collecting postings: chunks to weighed terms, many chunks at a time."""

from array import array
from itertools import compress
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from brain.search.chunk import Chunk
from brain.search.fields import MAX_WEIGHT, fields_of
from brain.search.vocabulary import Vocabulary

#: Pieces that are held before their terms are counted; about a megabyte of text.
_PIECES_AT_ONCE = 1 << 17
#: One number says chunk, term and weight, in this order.
_TERM_SHIFT = 8
_TERM_BITS = 32
_CHUNK_SHIFT = _TERM_SHIFT + _TERM_BITS

Numbers = npt.NDArray[np.int64]


class Collected(msgspec.Struct, frozen=True):
    """The postings of some chunks, as they travel between processes."""

    terms: list[str]
    #: Of each posting, in the order of the chunks: place of its term in *terms* (int32), weight.
    term_of: bytes
    weights: bytes
    #: Of each chunk: how many postings it has, and its length (int32 each).
    sizes: bytes
    lengths: bytes


class PostingCollector:
    """Weighs the terms of chunks over their fields, in the order the chunks are given.

    A term's weight in a chunk is the sum over the fields of how often it stands there times what
    the field counts (`brain.search.fields`), cut to `MAX_WEIGHT`; a chunk's length is the sum of
    its weights before they are cut. A function of the chunks alone, whatever the vocabulary knew.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._collected: list[Collected] = []
        self._weigh_nothing()
        self._hold_nothing()

    def _weigh_nothing(self) -> None:
        self._term_of: list[Numbers] = []
        self._posting_weights: list[bytes] = []
        self._posting_counts: list[bytes] = []
        self._lengths: list[bytes] = []

    def _hold_nothing(self) -> None:
        self._pieces: list[int] = []
        #: Of each field that was read: how many pieces it has, and its chunk and weight in one.
        self._sizes = array("i")
        self._fields = array("q")
        self._held = 0

    def add(self, chunk: Chunk) -> None:
        """Add the next chunk."""
        if len(self._pieces) >= _PIECES_AT_ONCE:
            self._weigh()
            if self._vocabulary.is_full():
                self._collect()
        read = self._vocabulary.read
        for text, weight in fields_of(chunk):
            if text:
                pieces = read(text)
                self._pieces += pieces
                self._sizes.append(len(pieces))
                self._fields.append(self._held << _CHUNK_SHIFT | weight)
        self._held += 1

    def collected(self) -> list[Collected]:
        """Return the postings of all chunks that were added, in their order.

        More than one where the vocabulary had to be forgotten meanwhile. The collector is done
        with then.
        """
        self._weigh()
        self._collect()
        return self._collected

    def _collect(self) -> None:
        """Name the terms of what was weighed, and forget a vocabulary that is full."""
        numbers = np.concatenate(self._term_of)
        names = self._vocabulary.terms()
        is_used = np.zeros(len(names), np.bool_)
        is_used[numbers] = True
        place_of = np.cumsum(is_used, dtype=np.int32) - 1
        self._collected.append(
            Collected(
                list(compress(names, is_used.tolist())),
                place_of[numbers].tobytes(),
                b"".join(self._posting_weights),
                b"".join(self._posting_counts),
                b"".join(self._lengths),
            )
        )
        self._weigh_nothing()
        if self._vocabulary.is_full():
            self._vocabulary.forget()

    def _weigh(self) -> None:
        """Count the terms of the chunks that are held."""
        pieces = np.array(self._pieces, np.int32)
        terms, counts = self._vocabulary.terms_of_pieces().of(pieces)
        fields = np.repeat(np.array(self._fields), np.array(self._sizes))
        # sorted, equal terms of a chunk meet
        postings = np.repeat(fields, counts) | terms.astype(np.int64) << _TERM_SHIFT
        postings.sort()
        keys = postings >> _TERM_SHIFT
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        sums = np.add.reduceat(postings & MAX_WEIGHT, firsts) if len(firsts) else firsts
        chunks = keys[firsts] >> _TERM_BITS
        self._term_of.append(keys[firsts] & (1 << _TERM_BITS) - 1)
        self._posting_weights.append(np.minimum(sums, MAX_WEIGHT).astype(np.uint8).tobytes())
        self._posting_counts.append(_summed(chunks, np.ones(len(chunks)), self._held))
        self._lengths.append(_summed(chunks, sums, self._held))
        self._hold_nothing()


def _summed(chunks: Numbers, values: npt.NDArray[Any], count: int) -> bytes:
    """Add up the values of each of *count* chunks, as int32."""
    return np.bincount(chunks, values, count).astype(np.int32).tobytes()
