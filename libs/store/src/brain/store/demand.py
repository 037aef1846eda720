"""Demand: what is owed to a source is a row; messages only wake a builder up.

Rule: docs/decisions/0003-demand-rows-and-empty-messages.md.
"""

from typing import Literal

import msgspec
from psycopg.rows import class_row

from brain.store.pool import Connection

#: First key of the advisory lock a build holds; the second is the source id.
BUILD_LOCK = 0x42524149

WorkClass = Literal["fresh", "background"]


class Owed(msgspec.Struct, frozen=True):
    """A source for which a build is owed and none runs."""

    id: int
    project_id: str
    #: ``fresh``, or ``background`` when only a build that may wait is owed.
    work_class: WorkClass = "fresh"


class Tip(msgspec.Struct, frozen=True):
    """What a look at the remote found. An empty commit comes with a reason."""

    branch: str
    commit: str
    reason: str = ""
    error: str = ""


async def record_tip(connection: Connection, source_id: int, tip: Tip) -> bool:
    """Record a look at the remote; a moved tip is a demand. Returns whether one was made.

    An unreadable remote keeps the last tip and the last good index.
    """
    cursor = await connection.execute(
        """
        update knowledge.source
        set looked_at = now(), remote_reason = %(reason)s, remote_error = %(error)s
        where id = %(id)s
        """,
        {"id": source_id, "reason": tip.reason, "error": tip.error},
    )
    if not tip.commit:
        await _record_unreadable(connection, source_id, tip)
        return False
    cursor = await connection.execute(
        """
        update knowledge.source
        set branch = %(branch)s, tip = %(tip)s, tip_at = now(), wanted_seq = wanted_seq + 1,
            state = case when state = 'indexing' then state else 'queued' end, reason = '',
            retry_at = null
        where id = %(id)s and enabled and (tip, branch) is distinct from (%(tip)s, %(branch)s)
        """,
        {"id": source_id, "branch": tip.branch, "tip": tip.commit},
    )
    if cursor.rowcount == 0:
        await _forget_reason(connection, source_id)
    return cursor.rowcount == 1


async def _record_unreadable(connection: Connection, source_id: int, tip: Tip) -> None:
    """Show why there is nothing to read; what is indexed stays readable."""
    await connection.execute(
        """
        update knowledge.source
        set reason = %(reason)s,
            state = case
                when %(reason)s <> 'branch-gone' or state in ('off', 'indexing', 'queued')
                then state else 'failed' end,
            error = case when %(reason)s = 'branch-gone' then %(error)s else error end
        where id = %(id)s and state <> 'off'
        """,
        {"id": source_id, "reason": tip.reason, "error": tip.error},
    )


async def _forget_reason(connection: Connection, source_id: int) -> None:
    """Clear the reason of an earlier failed look once the remote answers again."""
    await connection.execute(
        """
        update knowledge.source
        set reason = '',
            state = case when state = 'failed' and indexed_commit = tip then 'ready' else state end,
            error = case when state = 'failed' and indexed_commit = tip then '' else error end,
            retry_at = case when reason = 'mirror-damaged' then now() else retry_at end
        where id = %s and reason not in ('', 'build', 'retrying')
        """,
        (source_id,),
    )


async def want_build(connection: Connection, source_id: int, *, whole: bool) -> int:
    """Demand a build of whatever the tip is when it starts; returns the demand's number."""
    cursor = await connection.execute(
        """
        update knowledge.source
        set wanted_seq = wanted_seq + 1,
            wanted_whole_seq = case when %(whole)s then wanted_seq + 1 else wanted_whole_seq end,
            state = case when state in ('indexing', 'off') then state else 'queued' end,
            attempts = 0, retry_at = null
        where id = %(id)s
        returning wanted_seq
        """,
        {"id": source_id, "whole": whole},
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def want_newer_builds(connection: Connection, builder_version: int) -> int:
    """Demand whole builds of indexes that an older builder made; returns how many."""
    cursor = await connection.execute(
        """
        update knowledge.source
        set wanted_seq = wanted_seq + 1, wanted_whole_seq = wanted_seq + 1, state = 'queued',
            attempts = 0, retry_at = null
        where enabled and tip <> '' and wanted_seq = met_seq
          and builder_version < %s and indexed_commit <> ''
        """,
        (builder_version,),
    )
    return cursor.rowcount


async def list_owed(connection: Connection) -> list[Owed]:
    """Return the sources whose demand is not met, that no build works on and whose retry is due.

    A build that died with its process left the state ``indexing`` but no lock: it is owed again.
    """
    cursor = connection.cursor(row_factory=class_row(Owed))
    await cursor.execute(
        """
        select s.id, s.project_id,
               case when s.wanted_seq > s.met_seq then 'fresh' else 'background' end as work_class
        from knowledge.source s
        where s.enabled and s.tip <> ''
          and (s.wanted_seq > s.met_seq or s.background_seq > s.met_background_seq
               or s.vectors_pending > 0)
          and (s.retry_at is null or s.retry_at <= now())
          and not exists (
            select 1 from pg_locks l
            where l.locktype = 'advisory' and l.database = (
                    select oid from pg_database where datname = current_database())
              and l.classid = %s and l.objid = s.id and l.objsubid = 2)
        order by s.id
        """,
        (BUILD_LOCK,),
    )
    return await cursor.fetchall()
