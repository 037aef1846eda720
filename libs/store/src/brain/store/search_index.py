"""The search index as it is stored: segments with their buckets, and the places of chunks.

A segment is written once and never changed, and its id is never used again, so what is held of it
stays true for as long as it is searched.
"""

from collections.abc import Mapping, Sequence

import msgspec
import psycopg

from brain.search.stored_segment import SegmentHead, StoredSegment, decode_bucket
from brain.store.pool import Connection

Session = psycopg.Connection

_encode = msgspec.msgpack.Encoder().encode
_decode_head = msgspec.msgpack.Decoder(SegmentHead).decode


class PlacesRow(msgspec.Struct, frozen=True):
    """What is stored of the chunks of one document."""

    path: str
    #: Encoded, see `brain.search.chunk_place`.
    places: bytes
    #: SHA-256 of what is embedded of each chunk, joined.
    texts: bytes


class SearchUpdate(msgspec.Struct, frozen=True):
    """What one build writes for search."""

    segment: StoredSegment | None
    #: The chunks of each document that was read anew.
    places: Sequence[PlacesRow]
    #: The paths that were looked at; None takes the place of everything stored.
    within: Sequence[str] | None
    #: The segment holds everything: older ones are no longer needed.
    is_compact: bool = False


def merge_search(session: Session, source_id: int, update: SearchUpdate) -> None:
    """Write what a build says of search, inside the transaction that publishes it."""
    if update.within is None or update.is_compact:
        forget_segments(session, source_id)
    session.execute(
        "delete from knowledge.chunk_place where source_id = %(source)s"
        " and (%(within)s::text[] is null or path = any(%(within)s))",
        {"source": source_id, "within": None if update.within is None else list(update.within)},
    )
    with session.cursor().copy(
        "copy knowledge.chunk_place (source_id, path, places, texts) from stdin (format binary)"
    ) as copy:
        copy.set_types(["int8", "text", "bytea", "bytea"])
        for row in update.places:
            copy.write_row((source_id, row.path, row.places, row.texts))
    if update.segment is not None:
        _write_segment(session, source_id, update.segment)


def forget_segments(session: Session, source_id: int) -> None:
    """Remove every segment of a source."""
    session.execute(
        "delete from knowledge.search_bucket where segment_id in"
        " (select id from knowledge.search_segment where source_id = %s)",
        (source_id,),
    )
    session.execute("delete from knowledge.search_segment where source_id = %s", (source_id,))


def _write_segment(session: Session, source_id: int, segment: StoredSegment) -> None:
    row = session.execute(
        "insert into knowledge.search_segment (source_id, head) values (%s, %s) returning id",
        (source_id, _encode(segment.head)),
    ).fetchone()
    segment_id = row[0] if row else 0
    with session.cursor().copy(
        "copy knowledge.search_bucket (segment_id, number, blocks) from stdin (format binary)"
    ) as copy:
        copy.set_types(["int8", "int4", "bytea"])
        for number, blocks in sorted(segment.buckets.items()):
            copy.write_row((segment_id, number, blocks))


def has_segments(session: Session, source_id: int) -> bool:
    """Tell whether anything is stored for search of a source."""
    row = session.execute(
        "select exists (select 1 from knowledge.search_segment where source_id = %s)", (source_id,)
    ).fetchone()
    return bool(row and row[0])


def stored_heads(session: Session, source_id: int) -> list[tuple[int, SegmentHead]]:
    """Return id and head of every segment of a source, the oldest first."""
    cursor = session.execute(
        "select id, head from knowledge.search_segment where source_id = %s order by id",
        (source_id,),
    )
    return [(row[0], _decode_head(row[1])) for row in cursor]


def stored_blocks(session: Session, segment_id: int) -> dict[str, bytes]:
    """Return all posting blocks of a segment, by term."""
    cursor = session.execute(
        "select blocks from knowledge.search_bucket where segment_id = %s", (segment_id,)
    )
    return {term: block for row in cursor for term, block in decode_bucket(row[0]).items()}


async def list_segment_ids(connection: Connection, source_id: int) -> list[int]:
    """Return the id of every segment of a source, the oldest first."""
    cursor = await connection.execute(
        "select id from knowledge.search_segment where source_id = %s order by id", (source_id,)
    )
    return [row[0] for row in await cursor.fetchall()]


async def read_segment_heads(
    connection: Connection, segment_ids: Sequence[int]
) -> dict[int, tuple[SegmentHead, int]]:
    """Return the heads of segments by id, each with its size in bytes as it is stored."""
    cursor = await connection.execute(
        "select id, head from knowledge.search_segment where id = any(%s)", (list(segment_ids),)
    )
    return {row[0]: (_decode_head(row[1]), len(row[1])) for row in await cursor.fetchall()}


async def read_buckets(
    connection: Connection, wanted: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], tuple[Mapping[str, bytes], int]]:
    """Return the posting blocks of buckets by (segment, number), with their size in bytes.

    A bucket that holds nothing is not there.
    """
    cursor = await connection.execute(
        "select b.segment_id, b.number, b.blocks"
        " from unnest(%s::bigint[], %s::int[]) w (segment_id, number)"
        " join knowledge.search_bucket b using (segment_id, number)",
        ([segment for segment, _ in wanted], [number for _, number in wanted]),
    )
    return {
        (segment, number): (decode_bucket(blocks), len(blocks))
        for segment, number, blocks in await cursor.fetchall()
    }


async def read_all_blocks(connection: Connection, segment_id: int) -> dict[str, bytes]:
    """Return all posting blocks of a segment, by term."""
    cursor = await connection.execute(
        "select blocks from knowledge.search_bucket where segment_id = %s", (segment_id,)
    )
    rows = await cursor.fetchall()
    return {term: block for row in rows for term, block in decode_bucket(row[0]).items()}


async def read_places(
    connection: Connection, source_id: int, paths: Sequence[str]
) -> dict[str, bytes]:
    """Return the encoded places of the chunks of those documents that have any."""
    cursor = await connection.execute(
        "select path, places from knowledge.chunk_place where source_id = %s and path = any(%s)",
        (source_id, list(paths)),
    )
    return {row[0]: row[1] for row in await cursor.fetchall()}
