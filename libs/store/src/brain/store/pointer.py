"""The pointer: which commit each source's index stands at, learnt by notice and by polling."""

from collections.abc import AsyncIterator
from typing import LiteralString

import msgspec
import psycopg
from psycopg.rows import class_row

from brain.store.build_session import INDEX_CHANNEL
from brain.store.errors import StoreUnavailableError
from brain.store.pool import Connection
from brain.tree.config import AnchorDialect


class Pointer(msgspec.Struct, frozen=True):
    """What every answer says about where it comes from, and what a cache key needs."""

    source_id: int
    project_id: str
    enabled: bool
    state: str
    reason: str
    error: str
    branch: str
    tip: str
    #: The branch of the indexed commit.
    indexed_branch: str
    #: Empty before the first build.
    commit: str
    #: ISO 8601, UTC; empty before the first build.
    indexed_at: str
    #: Tells one publication of an index from the next, also of the same commit.
    publication: str
    attempted_commit: str
    wanted_seq: int
    met_seq: int
    #: How headings become anchors at the indexed commit.
    dialect: AnchorDialect
    #: Of the builder that made the index.
    builder_version: int
    #: The model that makes vectors of its chunks, and which of these vectors it sees.
    vector_model: str = ""
    vector_epoch: int = 0
    #: Chunks that wait for their vector.
    vectors_pending: int = 0


_SELECT: LiteralString = """
    select id as source_id, project_id, enabled, state, reason, error, branch, tip,
           indexed_branch, indexed_commit as commit,
           coalesce(to_char(indexed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')
               as indexed_at,
            coalesce(indexed_at::text, '') as publication,
            attempted_commit, wanted_seq, met_seq, builder_version,
            coalesce(config->>'dialect', 'github') as dialect, vector_model, vector_epoch,
            vectors_pending
    from knowledge.source where audience = ''
"""


async def read_pointers(connection: Connection) -> list[Pointer]:
    """Return the pointer of every source."""
    cursor = connection.cursor(row_factory=class_row(Pointer))
    await cursor.execute(_SELECT)
    return await cursor.fetchall()


async def read_pointer(connection: Connection, project_id: str) -> Pointer | None:
    """Return the pointer of a project's full tree; first statement of a snapshot."""
    cursor = connection.cursor(row_factory=class_row(Pointer))
    await cursor.execute(_SELECT + " and project_id = %s", (project_id,))
    return await cursor.fetchone()


async def listen_for_indexes(database_url: str) -> AsyncIterator[int]:
    """Yield the source id of each index as it is published, over a connection of its own.

    Raises:
        StoreUnavailableError: the connection broke; the caller waits and listens again.
    """
    try:
        async with await psycopg.AsyncConnection.connect(
            database_url, autocommit=True, connect_timeout=10
        ) as connection:
            await connection.execute("listen " + INDEX_CHANNEL)
            async for notice in connection.notifies():
                yield int(notice.payload.split(" ", 1)[0])
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise StoreUnavailableError(" ".join(str(error).split())[:200]) from error
