"""Connections: one pool a process for reads and short writes; builds have sessions of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from brain.store.errors import StoreUnavailableError

Pool = AsyncConnectionPool[AsyncConnection]
Connection = AsyncConnection

#: A request waits this long for a connection before it is told to come back.
ACQUIRE_TIMEOUT_S = 2.0
_STATEMENT_TIMEOUT = "5s"
#: No transaction of a request takes longer.
TRANSACTION_S = 8.0
_UNAVAILABLE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    PoolTimeout,
    TooManyRequests,
    TimeoutError,
)


async def _configure(connection: AsyncConnection) -> None:
    await connection.execute(f"set statement_timeout = '{_STATEMENT_TIMEOUT}'")
    await connection.execute("set idle_in_transaction_session_timeout = '30s'")
    await connection.commit()


def create_pool(database_url: str, *, max_size: int = 8) -> Pool:
    """Describe a pool; it connects when it is opened, and heals by itself after an outage.

    Args:
        database_url: a libpq connection string.
        max_size: connections at most.
    """
    return AsyncConnectionPool(
        database_url,
        min_size=0,
        max_size=max_size,
        max_idle=60.0,
        timeout=ACQUIRE_TIMEOUT_S,
        reconnect_timeout=5.0,
        open=False,
        configure=_configure,
        check=AsyncConnectionPool.check_connection,
        name="brain",
    )


@asynccontextmanager
async def transaction(
    pool: Pool, *, limit_s: float | None = TRANSACTION_S
) -> AsyncIterator[Connection]:
    """Run one read-write transaction: committed at the end, rolled back by an exception.

    Args:
        pool: where the connection comes from.
        limit_s: the longest it may take; a server that neither answers nor closes its
            connections would otherwise hold its callers for ever. None for long streams.

    Raises:
        StoreUnavailableError: the database is away, full, or took too long.
    """
    try:
        async with asyncio.timeout(limit_s), pool.connection() as connection:
            yield connection
    except _UNAVAILABLE as error:
        raise StoreUnavailableError(_one_line(error)) from error


@asynccontextmanager
async def snapshot(
    pool: Pool, *, limit_s: float | None = TRANSACTION_S
) -> AsyncIterator[Connection]:
    """Run one REPEATABLE READ, READ ONLY transaction: every statement sees the same commit.

    Raises:
        StoreUnavailableError: the database is away, full, or took too long.
    """
    async with transaction(pool, limit_s=limit_s) as connection:
        await connection.execute("set transaction isolation level repeatable read, read only")
        yield connection


async def is_reachable(pool: Pool) -> bool:
    """Tell whether the database answers a trivial query."""
    try:
        async with transaction(pool) as connection:
            await connection.execute("select 1")
    except StoreUnavailableError:
        return False
    return True


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
