"""Counters of what was served, kept over restarts until somebody sets them to nothing."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from psycopg.rows import class_row

from brain.store.pool import Connection


class Served(msgspec.Struct, frozen=True):
    """What one tool or route served of one source."""

    source_id: int
    name: str
    requests: int = 0
    tokens: int = 0
    chunks: int = 0
    #: Chunks that were ranked and did not fit.
    omitted: int = 0
    cache_hits: int = 0
    cache_misses: int = 0


class Kept(msgspec.Struct, frozen=True):
    """How much is kept of a source's bundles."""

    bundles: int
    #: Those whose text is held.
    texts: int
    usage_events: int


async def add_served(connection: Connection, rows: Sequence[Served]) -> None:
    """Add to the counters; those of a source that is gone are left out."""
    async with connection.cursor() as cursor:
        await cursor.executemany(
            """
            insert into knowledge.served as c
                (source_id, name, requests, tokens, chunks, omitted, cache_hits, cache_misses)
            select s.id, %(name)s, %(requests)s, %(tokens)s, %(chunks)s, %(omitted)s,
                   %(cache_hits)s, %(cache_misses)s
            from knowledge.source s where s.id = %(source_id)s
            on conflict (source_id, name) do update set
                requests = c.requests + excluded.requests,
                tokens = c.tokens + excluded.tokens,
                chunks = c.chunks + excluded.chunks,
                omitted = c.omitted + excluded.omitted,
                cache_hits = c.cache_hits + excluded.cache_hits,
                cache_misses = c.cache_misses + excluded.cache_misses
            """,
            [msgspec.structs.asdict(row) for row in rows],
        )


async def list_served(
    connection: Connection, source_id: int
) -> tuple[list[Served], datetime | None]:
    """Return the counters of a source by name, and since when they count."""
    cursor = connection.cursor(row_factory=class_row(Served))
    await cursor.execute(
        """
        select source_id, name, requests, tokens, chunks, omitted, cache_hits, cache_misses
        from knowledge.served where source_id = %s order by name
        """,
        (source_id,),
    )
    rows = await cursor.fetchall()
    since = await connection.execute(
        "select min(since) from knowledge.served where source_id = %s", (source_id,)
    )
    found = await since.fetchone()
    return rows, found[0] if found else None


async def count_kept(connection: Connection, source_id: int) -> Kept:
    """Count the bundles of a source, and what was said of them."""
    cursor = connection.cursor(row_factory=class_row(Kept))
    await cursor.execute(
        """
        select count(*)::int as bundles, count(text)::int as texts,
               (select count(*)::int from knowledge.usage_event
                where source_id = %(source)s) as usage_events
        from knowledge.bundle where source_id = %(source)s
        """,
        {"source": source_id},
    )
    return await cursor.fetchone() or Kept(0, 0, 0)


async def reset_served(connection: Connection, source_id: int) -> None:
    """Set the counters of a source to nothing, from now on."""
    await connection.execute(
        """
        update knowledge.served
        set requests = 0, tokens = 0, chunks = 0, omitted = 0, cache_hits = 0, cache_misses = 0,
            since = now()
        where source_id = %s
        """,
        (source_id,),
    )
