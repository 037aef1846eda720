"""Audit: one row an effect, written in the transaction of the effect."""

from typing import Any

from psycopg.types.json import Jsonb

from brain.store.pool import Connection


async def record_action(
    connection: Connection,
    principal: str,
    action: str,
    project_id: str | None,
    detail: dict[str, Any],
) -> None:
    """Append one row; the caller's transaction makes it one with its effect.

    Args:
        connection: the transaction of the effect.
        principal: who acted: a token's id, or a service's name.
        action: a dotted name such as ``brain.rebuild``.
        project_id: the project acted on, if any; the row outlives it.
        detail: JSON values without secrets.
    """
    await connection.execute(
        "insert into knowledge.audit (principal, action, project_id, detail)"
        " values (%s, %s, %s, %s)",
        (principal, action, project_id, Jsonb(detail)),
    )
