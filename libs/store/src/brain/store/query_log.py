"""The query log: what was asked, how well it was answered, and where nothing was."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from psycopg.rows import class_row

from brain.store.pool import Connection

#: Rows that one statement of pruning removes.
_BATCH = 10_000


class LoggedQuery(msgspec.Struct, frozen=True):
    """One question that was answered."""

    source_id: int
    at: datetime
    #: ``rest``, ``mcp`` or ``cli``.
    surface: str
    #: Of the tool or route.
    name: str
    #: None where queries are not kept.
    query: str | None
    scopes: tuple[str, ...]
    mode: str
    #: Chunks that were found.
    results: int
    top_score: float
    confidence: float
    tokens: int
    bundle_id: str
    client: str


class GapRow(msgspec.Struct, frozen=True):
    """Equal questions that were not answered."""

    query: str
    scopes: list[str]
    name: str
    reason: str
    count: int
    last_at: datetime
    confidence: float


async def append_queries(connection: Connection, rows: Sequence[LoggedQuery]) -> None:
    """Append rows; those of a source that is gone are left out."""
    async with connection.cursor() as cursor:
        await cursor.executemany(
            """
            insert into knowledge.query_log
                (source_id, at, surface, name, query, scopes, mode, results, top_score,
                 confidence, tokens, bundle_id, client)
            select s.id, %(at)s, %(surface)s, %(name)s, %(query)s, %(scopes)s::text[], %(mode)s,
                   %(results)s, %(top_score)s, %(confidence)s, %(tokens)s, %(bundle_id)s,
                   %(client)s
            from knowledge.source s where s.id = %(source_id)s
            """,
            [msgspec.structs.asdict(row) | {"scopes": list(row.scopes)} for row in rows],
        )


async def list_gaps(
    connection: Connection, source_id: int, *, likely_from: float, limit: int
) -> list[GapRow]:
    """Return what was asked and not answered, the most asked first, then the latest.

    Reasons: ``no_results``; ``no_useful_sections`` when readers said of the bundle that nothing in
    it was useful; ``low_confidence``.

    Args:
        connection: any.
        source_id: the source.
        likely_from: confidence from which an answer counts as one.
        limit: rows at most.
    """
    cursor = connection.cursor(row_factory=class_row(GapRow))
    await cursor.execute(
        """
        with said as (
            select bundle_id, bool_or(useful) as any_useful
            from knowledge.usage_event where source_id = %(source)s group by bundle_id
        ), judged as (
            select q.query, q.scopes, q.name, q.at, q.confidence,
                   case when q.results = 0 then 'no_results'
                        when not s.any_useful then 'no_useful_sections'
                        when q.confidence < %(likely)s then 'low_confidence' end as reason
            from knowledge.query_log q left join said s on s.bundle_id = q.bundle_id
            where q.source_id = %(source)s and q.query is not null
        )
        select query, scopes, name, reason, count(*)::int as count, max(at) as last_at,
               min(confidence) as confidence
        from judged where reason is not null
        group by query, scopes, name, reason
        order by count desc, last_at desc, query, name, reason
        limit %(limit)s
        """,
        {"source": source_id, "likely": likely_from, "limit": limit},
    )
    return await cursor.fetchall()


async def prune_queries(connection: Connection, days: int) -> int:
    """Remove up to 10,000 rows that are older than so many days; returns how many."""
    cursor = await connection.execute(
        """
        delete from knowledge.query_log where ctid in (
            select ctid from knowledge.query_log
            where at < now() - make_interval(days => %s) limit %s)
        """,
        (days, _BATCH),
    )
    return cursor.rowcount


async def forget_orphans(connection: Connection) -> None:
    """Remove what was written of sources at the moment they were removed."""
    for statement in (
        (
            "delete from knowledge.query_log l where not exists"
            " (select from knowledge.source s where s.id = l.source_id)"
        ),
        (
            "delete from knowledge.bundle b where not exists"
            " (select from knowledge.source s where s.id = b.source_id)"
        ),
        (
            "delete from knowledge.usage_event u where not exists"
            " (select from knowledge.source s where s.id = u.source_id)"
        ),
        (
            "delete from knowledge.served c where not exists"
            " (select from knowledge.source s where s.id = c.source_id)"
        ),
    ):
        await connection.execute(statement)
