"""Status: what is known of a project, for people and for the command line."""

from typing import Any

import msgspec

from brain.query.reader import Reader
from brain.query.texts import Pair
from brain.store.pool import Pool, transaction
from brain.store.sources import SourceRow, find_project_source, list_sources


class ProjectStatus(msgspec.Struct, frozen=True, rename="camel"):
    """One project: its state, what is indexed, and what was left out and why."""

    id: str
    state: str
    reason: str
    remote: str
    branch: str
    #: The branch a manager chose; None follows the repository's default branch.
    followed_branch: str | None
    commit: str
    tip: str
    behind_by: int | None
    indexed_at: str | None
    counts: dict[str, int]
    left_out: dict[str, int]
    last_build: dict[str, Any]
    error: str
    wanted_seq: int
    met_seq: int
    #: Chunks that wait for their vectors.
    vectors_pending: int = 0


async def project_status(reader: Reader, pool: Pool, project_id: str) -> ProjectStatus:
    """Return the status of one project.

    Raises:
        ProjectNotFoundError: there is no such project.
    """
    async with transaction(pool) as connection:
        source = await find_project_source(connection, project_id)
    return await _status(reader, source)


async def all_statuses(reader: Reader, pool: Pool) -> list[ProjectStatus]:
    """Return the status of every project, ordered by id."""
    async with transaction(pool) as connection:
        sources = await list_sources(connection)
    return [await _status(reader, source) for source in sources]


async def _status(reader: Reader, source: SourceRow) -> ProjectStatus:
    indexed_at = source.indexed_at
    return ProjectStatus(
        id=source.project_id,
        state=source.state,
        reason=source.reason or source.remote_reason,
        remote=source.remote,
        branch=source.branch or (source.followed_branch or ""),
        followed_branch=source.followed_branch,
        commit=source.indexed_commit,
        tip=source.tip,
        behind_by=await reader.texts.behind_by(Pair(source.id, source.indexed_commit, source.tip)),
        indexed_at=indexed_at.strftime("%Y-%m-%dT%H:%M:%SZ") if indexed_at else None,
        counts=source.counts,
        left_out=source.left_out,
        last_build=source.last_build,
        error=source.error or source.remote_error,
        wanted_seq=source.wanted_seq,
        met_seq=source.met_seq,
        vectors_pending=source.vectors_pending,
    )
