"""Vectors as they are stored, and which chunks still wait for theirs.

A vector belongs to a project and is found by model and SHA-256 of the embedded text. A source sees
those that its epoch reaches: docs/decisions/0019-vectors.md.
"""

from collections.abc import Sequence

import msgspec
from psycopg.rows import class_row

from brain.store.build_session import INDEX_CHANNEL, Session
from brain.store.pending_vectors import RECOUNT, recount_pending
from brain.store.pool import Connection

#: First key of the advisory lock that whoever fills in vectors of a project holds.
FILL_LOCK = 0x42524156


class FillStart(msgspec.Struct, frozen=True):
    """A source whose vectors are filled in."""

    project_id: str
    commit: str
    vectors_pending: int


class PendingText(msgspec.Struct, frozen=True):
    """A chunk that has no vector."""

    path: str
    #: Of the chunk in its document, from 0.
    number: int
    text_hash: bytes


class FilledVector(msgspec.Struct, frozen=True):
    """A vector to be stored."""

    text_hash: bytes
    codes: bytes


def try_fill_lock(session: Session, project_id: str) -> bool:
    """Take the project's fill lock unless another process fills it."""
    row = session.execute(
        "select pg_try_advisory_lock(%s, hashtext(%s))", (FILL_LOCK, project_id)
    ).fetchone()
    return row is not None and bool(row[0])


def release_fill_lock(session: Session, project_id: str) -> None:
    """Give the project's fill lock back."""
    session.execute("select pg_advisory_unlock(%s, hashtext(%s))", (FILL_LOCK, project_id))


def begin_fill(session: Session, source_id: int, model: str) -> FillStart | None:
    """Read what a source is owed; None when that is nothing, or vectors of another model."""
    cursor = session.cursor(row_factory=class_row(FillStart))
    cursor.execute(
        "select project_id, indexed_commit as commit, vectors_pending from knowledge.source"
        " where id = %s and enabled and vector_model = %s and vectors_pending > 0",
        (source_id, model),
    )
    return cursor.fetchone()


def list_pending(
    session: Session, source_id: int, limit: int, without: Sequence[str]
) -> list[PendingText]:
    """Return chunks that wait for a vector, those of the documents changed last first.

    Args:
        session: in a transaction that sees one commit.
        source_id: whose.
        limit: chunks.
        without: paths that are left alone.
    """
    cursor = session.cursor(row_factory=class_row(PendingText))
    cursor.execute(
        """
        select p.path, i as number, substring(p.texts from i * 32 + 1 for 32) as text_hash
        from knowledge.source s
        join knowledge.chunk_place p on p.source_id = s.id
        left join knowledge.changed c on c.source_id = p.source_id and c.path = p.path,
        generate_series(0, length(p.texts) / 32 - 1) i
        where s.id = %(source)s and p.path <> all(%(without)s) and not exists (
            select from knowledge.vector v
            where v.project_id = s.project_id and v.model = s.vector_model
              and v.text_hash = substring(p.texts from i * 32 + 1 for 32)
              and v.number <= s.vector_epoch)
        order by c.at desc nulls last, p.path, i limit %(limit)s
        """,
        {"source": source_id, "without": list(without), "limit": limit},
    )
    return cursor.fetchall()


def indexed_commit(session: Session, source_id: int) -> str:
    """Return the commit that a source's index stands at; empty when there is none."""
    row = session.execute(
        "select indexed_commit from knowledge.source where id = %s", (source_id,)
    ).fetchone()
    return str(row[0]) if row else ""


def known_vectors(
    session: Session, project_id: str, model: str, hashes: Sequence[bytes]
) -> set[bytes]:
    """Return those of the hashes for which the project has a vector, seen by a source or not."""
    cursor = session.execute(
        "select text_hash from knowledge.vector"
        " where project_id = %s and model = %s and text_hash = any(%s)",
        (project_id, model, list(hashes)),
    )
    return {row[0] for row in cursor}


def add_vectors(
    session: Session, source_id: int, model: str, vectors: Sequence[FilledVector]
) -> int:
    """Store vectors and let the source see all that its project has; returns what still waits.

    Nothing is stored, and 0 returned, when the source is gone or uses another model by now.
    """
    with session.transaction():
        row = session.execute(
            "select project_id from knowledge.source"
            " where id = %s and vector_model = %s for update",
            (source_id, model),
        ).fetchone()
        if row is None:
            return 0
        session.cursor().executemany(
            "insert into knowledge.vector (project_id, model, text_hash, codes)"
            " values (%s, %s, %s, %s) on conflict do nothing",
            [(row[0], model, each.text_hash, each.codes) for each in vectors],
        )
        session.execute(
            "update knowledge.source s set vector_epoch = greatest(vector_epoch,"
            " (select coalesce(max(number), 0) from knowledge.vector v"
            "  where v.project_id = s.project_id and v.model = s.vector_model))"
            " where id = %s",
            (source_id,),
        )
        pending = recount_pending(session, source_id)
        session.execute("select pg_notify(%s, %s)", (INDEX_CHANNEL, f"{source_id} vectors"))
    return pending


async def want_vectors(connection: Connection, model: str) -> None:
    """Have every source use a model from here on; an empty one for none."""
    cursor = await connection.execute(
        "select id from knowledge.source where vector_model <> %s", (model,)
    )
    for (source_id,) in await cursor.fetchall():
        await connection.execute(
            "update knowledge.source set vector_model = %s, vectors_pending = 0 where id = %s",
            (model, source_id),
        )
        if model:
            await connection.execute(RECOUNT, (source_id,))


async def owes_whole(connection: Connection, source_id: int) -> bool:
    """Tell whether a whole build that may wait is owed to a source."""
    cursor = await connection.execute(
        "select enabled and (wanted_seq > met_seq or background_seq > met_background_seq)"
        " from knowledge.source where id = %s",
        (source_id,),
    )
    row = await cursor.fetchone()
    return row is not None and bool(row[0])


async def read_text_hashes(connection: Connection, source_id: int) -> dict[str, bytes]:
    """Return of each document the hashes of what is embedded of its chunks, in their order."""
    cursor = await connection.execute(
        "select path, texts from knowledge.chunk_place where source_id = %s", (source_id,)
    )
    return dict(await cursor.fetchall())


async def read_vectors(
    connection: Connection, project_id: str, model: str, *, after: int, upto: int
) -> tuple[bytes, bytes]:
    """Return hashes and codes of the vectors with numbers in ``(after, upto]``, each joined.

    They come by number, so that the later of two of one text comes last.
    """
    cursor = connection.cursor(binary=True)
    await cursor.execute(
        "select text_hash, codes from knowledge.vector"
        " where project_id = %s and model = %s and number > %s and number <= %s order by number",
        (project_id, model, after, upto),
    )
    rows = await cursor.fetchall()
    return b"".join(row[0] for row in rows), b"".join(row[1] for row in rows)
