"""Fields of a chunk and what a word in each counts for: one weight a term and chunk.

A word in a title says more about a chunk than one in its text, one in code less. The weighted
counts of all fields are added before they saturate (BM25F without a length of its own for each
field), so one byte a posting is enough. Units are quarters of a word in the text.

Source: Robertson, Zaragoza and Taylor, CIKM 2004; weights measured, docs/retrieval.md.
"""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from brain.search.analyzer import Analyzer
from brain.search.chunk import Chunk

TEXT_WEIGHT = 4
TITLE_WEIGHT = 32
HEADING_WEIGHT = 4
NAME_WEIGHT = 8
CODE_WEIGHT = 3
#: A weight is one byte; a word that fills a chunk counts no more than about 60 times.
MAX_WEIGHT = 255


class WeighedChunk(msgspec.Struct, frozen=True):
    """The terms of one chunk; a function of the chunk alone."""

    #: Term to weight, 1 to `MAX_WEIGHT`, in no order that matters.
    weights: dict[str, int]
    #: Sum of all weights before they are cut: the chunk's length.
    length: int


def weigh_chunk(chunk: Chunk, analyzer: Analyzer) -> WeighedChunk:
    """Count the terms of a chunk over its fields."""
    counts = dict(_around(analyzer, chunk.headings, chunk.names))
    for text, weight in _fields(chunk):
        if text:
            analyzer.add_terms(text, weight, counts)
    length = sum(counts.values())
    if counts and max(counts.values()) > MAX_WEIGHT:
        counts = {term: min(count, MAX_WEIGHT) for term, count in counts.items()}
    return WeighedChunk(counts, length)


@lru_cache(maxsize=32)
def _around(analyzer: Analyzer, headings: str, names: str) -> dict[str, int]:
    """Count what neighbouring chunks have in common."""
    counts: dict[str, int] = {}
    for text, weight in ((headings, HEADING_WEIGHT), (names, NAME_WEIGHT)):
        if text:
            analyzer.add_terms(text, weight, counts)
    return counts


def _fields(chunk: Chunk) -> Iterable[tuple[str, int]]:
    return (
        (chunk.title, TITLE_WEIGHT),
        (chunk.text, TEXT_WEIGHT),
        (chunk.code, CODE_WEIGHT),
    )
