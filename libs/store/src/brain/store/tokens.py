"""Tokens: hashed at rest, shown once, scoped to projects and permissions."""

from datetime import datetime

import msgspec
from psycopg.rows import class_row

from brain.store.pool import Connection


class TokenRow(msgspec.Struct, frozen=True):
    """One token without its secret."""

    id: str
    name: str
    #: None: every project.
    projects: list[str] | None
    permissions: list[str]
    person: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


async def find_token(connection: Connection, sha256: bytes) -> TokenRow | None:
    """Return the token of that hash if it is neither revoked nor expired."""
    cursor = connection.cursor(row_factory=class_row(TokenRow))
    await cursor.execute(
        """
        select id, name, projects, permissions, person, created_at, expires_at, revoked_at
        from knowledge.token
        where sha256 = %s and revoked_at is null and (expires_at is null or expires_at > now())
        """,
        (sha256,),
    )
    return await cursor.fetchone()


async def list_tokens(connection: Connection) -> list[TokenRow]:
    """Return every token, newest first."""
    cursor = connection.cursor(row_factory=class_row(TokenRow))
    await cursor.execute(
        """
        select id, name, projects, permissions, person, created_at, expires_at, revoked_at
        from knowledge.token order by created_at desc, id
        """
    )
    return await cursor.fetchall()


async def add_token(connection: Connection, row: TokenRow, sha256: bytes) -> None:
    """Store a token by its hash."""
    await connection.execute(
        """
        insert into knowledge.token
            (id, name, sha256, projects, permissions, person, created_at, expires_at)
        values (%s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            row.id,
            row.name,
            sha256,
            row.projects,
            row.permissions,
            row.person,
            row.created_at,
            row.expires_at,
        ),
    )


async def revoke_token(connection: Connection, token_id: str) -> bool:
    """Revoke a token; returns whether it was there and alive."""
    cursor = await connection.execute(
        "update knowledge.token set revoked_at = now() where id = %s and revoked_at is null",
        (token_id,),
    )
    return cursor.rowcount == 1
