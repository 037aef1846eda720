"""Segments as they are stored: a head that is held whole, and buckets of posting blocks."""

import zlib
from collections.abc import Iterable, Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from brain.search.segment import Lengths, Segment
from brain.tree.document import DocumentRow

#: Terms of one bucket, about: few enough that a question reads little beside its own terms.
_TERMS_OF_BUCKET = 128
_MOST_BUCKETS = 1 << 14

_encode = msgspec.msgpack.Encoder().encode
_decode_blocks = msgspec.msgpack.Decoder(dict[str, bytes]).decode


class SearchDocument(msgspec.Struct, frozen=True, array_like=True):
    """What ranking and its filters need of a document."""

    path: str
    #: Object id of its blob, hex.
    blob: str
    #: How many chunks it has; they follow each other.
    chunk_count: int
    id: str = ""
    status: str = ""
    #: ISO 8601 date, or empty.
    valid_until: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    space: str = ""
    #: Patterns of the code paths it governs.
    refs: tuple[str, ...] = ()


class SegmentHead(msgspec.Struct, frozen=True, array_like=True):
    """What is held of a segment for as long as it is searched."""

    #: Says by what it was made; one made otherwise is made anew.
    tag: str
    #: Documents in the order of their chunks.
    documents: tuple[SearchDocument, ...]
    #: Paths whose chunks in older segments are gone, those of *documents* included.
    replaced: tuple[str, ...]
    bucket_count: int
    #: Of each chunk: its id (uint64) and length (int32), little-endian.
    ids: bytes
    lengths: bytes

    def chunk_ids(self) -> npt.NDArray[np.uint64]:
        """Return the id of each chunk, as a number."""
        return np.frombuffer(self.ids, "<u8")

    def chunk_lengths(self) -> Lengths:
        """Return the length of each chunk."""
        return np.frombuffer(self.lengths, "<i4")


class StoredSegment(msgspec.Struct, frozen=True):
    """A segment ready to be written."""

    head: SegmentHead
    #: Encoded blocks by number of their bucket; empty buckets are left out.
    buckets: dict[int, bytes]


def search_document(row: DocumentRow, chunk_count: int) -> SearchDocument:
    """Return what search needs of a document."""
    facts = row.facts
    return SearchDocument(
        path=row.path,
        blob=row.blob,
        chunk_count=chunk_count,
        id=facts.id,
        status=facts.status,
        valid_until=facts.valid_until,
        supersedes=facts.supersedes,
        superseded_by=facts.superseded_by,
        labels=facts.labels,
        space=facts.space,
        refs=facts.refs,
    )


def store_segment(
    tag: str,
    segment: Segment,
    documents: Iterable[SearchDocument],
    replaced: Iterable[str],
    ids: npt.NDArray[np.uint64],
) -> StoredSegment:
    """Put a segment into the form it is stored in."""
    count = bucket_count(len(segment.blocks))
    grouped: dict[int, dict[str, bytes]] = {}
    for term, block in segment.blocks.items():
        grouped.setdefault(bucket_of(term, count), {})[term] = block
    head = SegmentHead(
        tag=tag,
        documents=tuple(documents),
        replaced=tuple(sorted(replaced)),
        bucket_count=count,
        ids=ids.astype("<u8").tobytes(),
        lengths=segment.lengths.astype("<i4").tobytes(),
    )
    return StoredSegment(head, {number: _encode(blocks) for number, blocks in grouped.items()})


def bucket_count(terms: int) -> int:
    """Return in how many buckets so many terms are kept: a power of two."""
    wanted = max(1, terms // _TERMS_OF_BUCKET)
    return min(_MOST_BUCKETS, 1 << (wanted - 1).bit_length())


def bucket_of(term: str, count: int) -> int:
    """Return the number of a term's bucket, out of a power of two."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass")) & (count - 1)


def decode_bucket(data: bytes) -> Mapping[str, bytes]:
    """Decode a bucket: posting blocks by term."""
    return _decode_blocks(data)
