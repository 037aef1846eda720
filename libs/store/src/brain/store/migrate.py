"""Migrations: plain numbered SQL files, forward only, run once under an advisory lock."""

from importlib.resources import files
from typing import LiteralString

import psycopg

from brain.store.errors import SchemaTooNewError, StoreUnavailableError

#: Raised by a release whose code can no longer read what an older one wrote, or the reverse.
CODE_VERSION = 1

_LOCK = 0x627261696E  # "brain"
_META: LiteralString = """
create schema if not exists knowledge;
create table if not exists knowledge.schema_version (
    version integer primary key,
    minimum_code integer not null,
    applied_at timestamptz not null default now()
);
"""


def pending_files() -> list[tuple[int, bytes]]:
    """Return every migration as (number, SQL), in order."""
    found = [
        (int(entry.name[:4]), entry.read_bytes())
        for entry in files("brain.store.migrations").iterdir()
        if entry.name.endswith(".sql")
    ]
    return sorted(found)


def migrate(database_url: str) -> list[int]:
    """Bring the schema up to date, each migration in a transaction of its own.

    Concurrent callers wait for each other; a killed one leaves whole migrations only.

    Returns:
        The numbers applied by this call, in order.

    Raises:
        SchemaTooNewError: the schema's minimum code version is above this code's.
        StoreUnavailableError: the database cannot be reached.
    """
    try:
        with psycopg.connect(database_url, autocommit=True, connect_timeout=10) as connection:
            connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
            connection.execute(_META)
            return _apply(connection)
    except psycopg.OperationalError as error:
        raise StoreUnavailableError(" ".join(str(error).split())[:200]) from error


def _apply(connection: psycopg.Connection) -> list[int]:
    rows = connection.execute(
        "select version, minimum_code from knowledge.schema_version"
    ).fetchall()
    needed = max((row[1] for row in rows), default=0)
    if needed > CODE_VERSION:
        raise SchemaTooNewError(needed, CODE_VERSION)
    applied = {row[0] for row in rows}
    done = []
    for number, statements in pending_files():
        if number in applied:
            continue
        with connection.transaction():
            connection.execute(statements)
            connection.execute(
                "insert into knowledge.schema_version (version, minimum_code) values (%s, %s)",
                (number, 1),
            )
        done.append(number)
    return done
