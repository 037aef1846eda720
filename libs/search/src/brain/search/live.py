"""Which documents of a source's segments still count, and all their chunks as one collection."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brain.search.bm25 import Collection
from brain.search.posting_block import EMPTY, Postings, decode_block
from brain.search.segment import GONE, Segment, joined_postings, merge_segments
from brain.search.stored_segment import SearchDocument, SegmentHead, StoredSegment, store_segment


class Joined(msgspec.Struct, frozen=True):
    """All segments of a source as one: chunks are numbered through them, the oldest first."""

    collection: Collection
    #: By number of the document, those that are gone included.
    documents: tuple[SearchDocument, ...]
    #: Number of the first chunk of each document.
    firsts: npt.NDArray[np.int32]
    #: Number of the first chunk of each segment.
    offsets: tuple[int, ...]


def live_documents(heads: Sequence[SegmentHead]) -> list[list[bool]]:
    """Tell for each document of each segment whether no newer segment replaced it.

    Args:
        heads: the oldest first.
    """
    replaced: set[str] = set()
    live: list[list[bool]] = []
    for head in reversed(heads):
        live.append([document.path not in replaced for document in head.documents])
        replaced.update(head.replaced)
    return live[::-1]


def live_blobs(heads: Sequence[SegmentHead]) -> dict[str, str]:
    """Return the blob of every document that counts, by path."""
    return {
        document.path: document.blob
        for head, live in zip(heads, live_documents(heads), strict=True)
        for document, is_live in zip(head.documents, live, strict=True)
        if is_live
    }


def join_heads(heads: Sequence[SegmentHead]) -> Joined:
    """Join segments, the oldest first."""
    documents = [document for head in heads for document in head.documents]
    counts = np.array([document.chunk_count for document in documents], np.int32)
    live = [is_live for each in live_documents(heads) for is_live in each]
    ends = np.cumsum(counts, dtype=np.int32)
    sizes = [len(head.chunk_lengths()) for head in heads]
    return Joined(
        collection=Collection(
            ids=_concatenated([head.chunk_ids() for head in heads], np.dtype(np.uint64)),
            lengths=_concatenated([head.chunk_lengths() for head in heads], np.dtype(np.int32)),
            documents=np.repeat(np.arange(len(documents), dtype=np.int32), counts),
            alive=np.repeat(np.array(live, np.bool_), counts),
        ),
        documents=tuple(documents),
        firsts=ends - counts,
        offsets=tuple(int(each) for each in np.cumsum([0, *sizes])[:-1]),
    )


def _concatenated(parts: Sequence[npt.NDArray[np.generic]], kind: np.dtype) -> npt.NDArray:  # type: ignore[type-arg]
    return np.concatenate(parts).astype(kind, copy=False) if parts else np.empty(0, kind)


def join_postings(
    term: str, offsets: Sequence[int], buckets: Sequence[Mapping[str, bytes]]
) -> Postings:
    """Return the postings of a term through all segments.

    Args:
        term: to look up.
        offsets: of each segment, see `Joined`.
        buckets: of each segment, the bucket that would hold the term.
    """
    parts = []
    for offset, blocks in zip(offsets, buckets, strict=True):
        block = blocks.get(term)
        if block is not None:
            postings = decode_block(block)
            numbers = postings.numbers + np.int32(offset)
            parts.append(Postings(numbers, postings.weights))
    return joined_postings(parts) if parts else EMPTY


def compact(
    tag: str, heads: Sequence[SegmentHead], blocks: Sequence[Mapping[str, bytes]]
) -> StoredSegment:
    """Merge segments into the one that a whole build would make.

    Args:
        tag: of the new segment.
        heads: the oldest first.
        blocks: all posting blocks of each.
    """
    segments = [
        Segment(dict(each), head.chunk_lengths()) for head, each in zip(heads, blocks, strict=True)
    ]
    numbers = [np.full(len(segment.lengths), GONE, np.int32) for segment in segments]
    kept = _kept(heads)
    at = 0
    for document, segment, first in kept:
        end = first + document.chunk_count
        numbers[segment][first:end] = np.arange(at, at + document.chunk_count, dtype=np.int32)
        at += document.chunk_count
    ids = np.zeros(at, np.uint64)
    for head, renumbered in zip(heads, numbers, strict=True):
        is_kept = renumbered != GONE
        ids[renumbered[is_kept]] = head.chunk_ids()[is_kept]
    documents = [document for document, _, _ in kept]
    return store_segment(tag, merge_segments(segments, numbers), documents, (), ids)


def _kept(heads: Sequence[SegmentHead]) -> list[tuple[SearchDocument, int, int]]:
    """Return what counts in path order (bytes), with its segment and its first chunk there."""
    kept = []
    for number, (head, live) in enumerate(zip(heads, live_documents(heads), strict=True)):
        first = 0
        for document, is_live in zip(head.documents, live, strict=True):
            if is_live:
                kept.append((document, number, first))
            first += document.chunk_count
    return sorted(kept, key=lambda each: each[0].path.encode())
