"""Projects and their sources: the records that everything else is keyed by."""

from datetime import datetime
from typing import Any, LiteralString

import msgspec
from psycopg.rows import class_row

from brain.store.errors import ProjectExistsError, ProjectNotFoundError
from brain.store.pool import Connection


class SourceRow(msgspec.Struct, frozen=True):
    """One source with its project's remote: state, demand and the index that reads answer from."""

    id: int
    project_id: str
    remote: str
    #: The branch a manager chose; None follows the default branch.
    followed_branch: str | None
    enabled: bool
    branch: str
    tip: str
    looked_at: datetime | None
    remote_reason: str
    remote_error: str
    wanted_seq: int
    wanted_whole_seq: int
    met_seq: int
    state: str
    reason: str
    error: str
    fence: int
    attempted_commit: str
    attempts: int
    retry_at: datetime | None
    indexed_commit: str
    indexed_branch: str
    indexed_at: datetime | None
    commit_at: datetime | None
    builder_version: int
    counts: dict[str, int]
    left_out: dict[str, int]
    last_build: dict[str, Any]
    vector_model: str
    #: Chunks that wait for their vectors.
    vectors_pending: int


_SELECT: LiteralString = """
    select s.id, s.project_id, p.remote, p.branch as followed_branch, s.enabled, s.branch,
           s.tip, s.looked_at, s.remote_reason, s.remote_error, s.wanted_seq,
           s.wanted_whole_seq, s.met_seq, s.state, s.reason, s.error, s.fence,
           s.attempted_commit, s.attempts, s.retry_at, s.indexed_commit, s.indexed_branch,
           s.indexed_at, s.commit_at, s.builder_version, s.counts, s.left_out, s.last_build,
           s.vector_model, s.vectors_pending
    from knowledge.source s join knowledge.project p on p.id = s.project_id
"""


async def list_sources(connection: Connection) -> list[SourceRow]:
    """Return every source, ordered by project id."""
    cursor = connection.cursor(row_factory=class_row(SourceRow))
    await cursor.execute(_SELECT + " order by s.project_id, s.id")
    return await cursor.fetchall()


async def find_source(connection: Connection, source_id: int) -> SourceRow | None:
    """Return one source by id."""
    cursor = connection.cursor(row_factory=class_row(SourceRow))
    await cursor.execute(_SELECT + " where s.id = %s", (source_id,))
    return await cursor.fetchone()


async def find_project_source(connection: Connection, project_id: str) -> SourceRow:
    """Return the full-tree source of a project.

    Raises:
        ProjectNotFoundError: there is no such project.
    """
    cursor = connection.cursor()
    await cursor.execute(
        "select id from knowledge.source where project_id = %s and audience = ''", (project_id,)
    )
    found = await cursor.fetchone()
    source = await find_source(connection, found[0]) if found else None
    if source is None:
        raise ProjectNotFoundError(project_id)
    return source


async def add_project(
    connection: Connection, project_id: str, remote: str, branch: str | None
) -> SourceRow:
    """Add a project with its one source; the same again changes nothing.

    Raises:
        ProjectExistsError: the id is taken by another remote or branch.
    """
    cursor = connection.cursor()
    await cursor.execute(
        "insert into knowledge.project (id, remote, branch) values (%s, %s, %s)"
        " on conflict (id) do nothing",
        (project_id, remote, branch),
    )
    if cursor.rowcount == 1:
        await cursor.execute("insert into knowledge.source (project_id) values (%s)", (project_id,))
    source = await find_project_source(connection, project_id)
    if (source.remote, source.followed_branch) != (remote, branch):
        raise ProjectExistsError(project_id)
    return source


async def remove_project(connection: Connection, project_id: str) -> list[int]:
    """Remove a project with every row of its sources; returns the ids of those sources.

    Raises:
        ProjectNotFoundError: there is no such project.
    """
    cursor = connection.cursor()
    await cursor.execute(
        "select id from knowledge.source where project_id = %s for update", (project_id,)
    )
    source_ids = [row[0] for row in await cursor.fetchall()]
    await cursor.execute("delete from knowledge.project where id = %s", (project_id,))
    if cursor.rowcount == 0:
        raise ProjectNotFoundError(project_id)
    return source_ids


async def set_followed_branch(
    connection: Connection, source: SourceRow, *, enabled: bool, branch: str | None
) -> None:
    """Turn reads and builds of a project on or off, and choose its branch."""
    await connection.execute(
        "update knowledge.project set branch = %s where id = %s", (branch, source.project_id)
    )
    await connection.execute(
        """
        update knowledge.source
        set enabled = %(enabled)s,
            reason = '',
            state = case
                when not %(enabled)s then 'off'
                when state <> 'off' then state
                when indexed_commit <> '' then 'ready'
                else 'not-built' end
        where id = %(id)s
        """,
        {"enabled": enabled, "id": source.id},
    )
