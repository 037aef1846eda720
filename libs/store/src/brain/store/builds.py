"""How builds end when they do not publish: recorded by the builder that ran the child."""

import msgspec

from brain.store.pool import Connection

#: Deaths of the child at one commit after which that commit is given up.
MAX_ATTEMPTS = 5


async def record_final_failure(
    connection: Connection, source_id: int, *, fence: int, commit: str, met_seq: int, error: str
) -> bool:
    """Give a commit up: its failure is a function of the commit and the builder version.

    The last good index stays readable, and a source turned off meanwhile stays off. Nothing is
    written when a newer build has begun since. Returns whether a later demand is still owed.
    """
    cursor = await connection.execute(
        """
        update knowledge.source
        set state = case when not enabled then 'off'
                when wanted_seq > %(met)s then 'queued' else 'failed' end,
            reason = 'build', error = %(error)s, attempted_commit = %(commit)s,
            met_seq = greatest(met_seq, %(met)s), retry_at = null
        where id = %(id)s and fence = %(fence)s
        returning enabled and wanted_seq > met_seq
        """,
        {"id": source_id, "fence": fence, "commit": commit, "met": met_seq, "error": error},
    )
    row = await cursor.fetchone()
    return row is not None and bool(row[0])


class Retry(msgspec.Struct, frozen=True):
    """When a build is tried again, and what its source shows until then."""

    after_s: float
    reason: str = "retrying"


async def record_outage(
    connection: Connection, source_id: int, *, fence: int, error: str, retry: Retry
) -> bool:
    """Keep the demand after a failure of the infrastructure, to be retried by the reconcile.

    Returns False when a newer build has begun since.
    """
    cursor = await connection.execute(
        """
        update knowledge.source
        set state = 'queued', reason = %(reason)s, error = %(error)s,
            retry_at = now() + make_interval(secs => %(after)s)
        where id = %(id)s and fence = %(fence)s and state <> 'off'
        """,
        {
            "id": source_id,
            "fence": fence,
            "error": error,
            "reason": retry.reason,
            "after": retry.after_s,
        },
    )
    return cursor.rowcount == 1


async def record_death(
    connection: Connection, source_id: int, *, fence: int, commit: str, error: str
) -> int:
    """Count a child killed by a signal against its commit; returns the attempts so far."""
    cursor = await connection.execute(
        """
        update knowledge.source
        set attempts = case when attempted_commit = %(commit)s then attempts + 1 else 1 end,
            attempted_commit = %(commit)s, reason = 'retrying', error = %(error)s,
            state = case when enabled then 'queued' else 'off' end
        where id = %(id)s and fence = %(fence)s
        returning attempts
        """,
        {"id": source_id, "fence": fence, "commit": commit, "error": error},
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def record_poison(connection: Connection, source_id: int, error: str) -> None:
    """Mark a source failed whose message outlived every builder that took it.

    Late news is no news: a source that is off, or that owes nothing by now, stays as it is.
    """
    await connection.execute(
        """
        update knowledge.source
        set state = 'failed', reason = 'build', error = %s, met_seq = wanted_seq,
            attempted_commit = tip, retry_at = null
        where id = %s and enabled and wanted_seq > met_seq
        """,
        (error, source_id),
    )
