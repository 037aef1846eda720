"""Bundles that were made, and what their readers said of them."""

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec
from psycopg.rows import class_row

from brain.store.pool import Connection


class BundleRow(msgspec.Struct, frozen=True):
    """One bundle: what was asked, the state it was made of, and its text unless it was pruned."""

    source_id: int
    id: str
    #: Empty where queries are not kept.
    task: str
    scopes: list[str]
    max_tokens: int
    paths: list[str]
    day: date
    commit: str
    builder_version: int
    model: str
    vector_epoch: int
    manifest: bytes
    sha256: bytes
    text: str | None


class UsageEvent(msgspec.Struct, frozen=True):
    """What a reader said of one section of a bundle."""

    chunk_id: str
    useful: bool


async def find_bundle(connection: Connection, source_id: int, bundle_id: str) -> BundleRow | None:
    """Return a bundle of a source by its id."""
    cursor = connection.cursor(row_factory=class_row(BundleRow))
    await cursor.execute(
        """
        select source_id, id, task, scopes, max_tokens, paths, day, commit, builder_version,
               model, vector_epoch, manifest, sha256, text
        from knowledge.bundle where source_id = %s and id = %s
        """,
        (source_id, bundle_id),
    )
    return await cursor.fetchone()


async def keep_bundle(connection: Connection, row: BundleRow) -> BundleRow | None:
    """Store a bundle; one of the same id that is there already wins, its pruned text aside.

    Nothing is stored for a source that is gone. The commit waits for no disk: a crash of the
    database within the next second loses what can be made again.

    Returns:
        What is stored now; None when the source is gone.
    """
    await connection.execute("set local synchronous_commit = off")
    cursor = await connection.execute(
        """
        insert into knowledge.bundle
            (source_id, id, task, scopes, max_tokens, paths, day, commit, builder_version,
             model, vector_epoch, manifest, sha256, text)
        select s.id, %(id)s, %(task)s, %(scopes)s, %(max_tokens)s, %(paths)s, %(day)s, %(commit)s,
               %(builder_version)s, %(model)s, %(vector_epoch)s, %(manifest)s, %(sha256)s, %(text)s
        from knowledge.source s where s.id = %(source_id)s
        on conflict (source_id, id) do update set text = excluded.text
        where bundle.text is null and bundle.sha256 = excluded.sha256
        returning id
        """,
        msgspec.structs.asdict(row),
    )
    if await cursor.fetchone():
        return row
    return await find_bundle(connection, row.source_id, row.id)


async def count_bundle_hits(connection: Connection, hits: Mapping[tuple[int, str], int]) -> None:
    """Add to the hits of bundles, by (source, id)."""
    await connection.execute(
        """
        update knowledge.bundle b set hits = b.hits + h.hits, used_at = now()
        from unnest(%s::bigint[], %s::text[], %s::bigint[]) h (source_id, id, hits)
        where b.source_id = h.source_id and b.id = h.id
        """,
        (
            [source for source, _ in hits],
            [bundle_id for _, bundle_id in hits],
            list(hits.values()),
        ),
    )


async def prune_bundle_texts(connection: Connection) -> int:
    """Drop the text of bundles that no request can ask for again; returns how many.

    A bundle is asked for by its day and the state of its index: a day that is over, another
    commit, another builder. A day more is kept for clocks that differ.
    """
    cursor = await connection.execute(
        """
        update knowledge.bundle b set text = null
        from knowledge.source s
        where b.text is not null and s.id = b.source_id
          and (b.day < (now() at time zone 'utc')::date - 1
               or ((b.commit, b.builder_version) <> (s.indexed_commit, s.builder_version)
                   and b.used_at < now() - interval '1 hour'))
        """
    )
    return cursor.rowcount


async def record_usage(
    connection: Connection,
    source_id: int,
    bundle_id: str,
    events: Sequence[UsageEvent],
    client: str,
) -> None:
    """Append one event for each section."""
    await connection.execute(
        """
        insert into knowledge.usage_event (source_id, bundle_id, chunk_id, useful, client)
        select %(source)s, %(bundle)s, e.chunk_id, e.useful, %(client)s
        from unnest(%(chunks)s::text[], %(useful)s::boolean[]) e (chunk_id, useful)
        """,
        {
            "source": source_id,
            "bundle": bundle_id,
            "client": client,
            "chunks": [event.chunk_id for event in events],
            "useful": [event.useful for event in events],
        },
    )
