"""Journal: what answers leave behind, written after them and never in their way."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from itertools import islice

import msgspec

from brain.store.bundles import (
    BundleRow,
    count_bundle_hits,
    keep_bundle,
    prune_bundle_texts,
)
from brain.store.errors import StoreUnavailableError
from brain.store.pool import Connection, Pool, transaction
from brain.store.query_log import LoggedQuery, append_queries, forget_orphans, prune_queries
from brain.store.served import Served, add_served
from brain.telemetry.metrics import JOURNAL_DROPPED
from brain.telemetry.switch import read_switch

log = logging.getLogger(__name__)

_MOST_WAITING = 2_000
_BATCH = 500
_WRITE_EVERY_S = 1.0
_PRUNE_EVERY_S = 3_600.0
_MOST_DAYS = 36_500
_MOST_DIGITS = 6


class JournalSettings(msgspec.Struct, frozen=True):
    """What is kept of questions."""

    #: Whether questions are logged at all.
    logs_queries: bool = True
    #: Whether their words are kept, in the log and beside bundles.
    keeps_words: bool = True
    #: Days that a logged question is kept; 0 for ever.
    retention_days: int = 30


def journal_settings(environment: Mapping[str, str]) -> JournalSettings:
    """Read ``BRAIN_QUERY_LOG``, ``BRAIN_QUERY_LOG_TEXT`` and ``BRAIN_QUERY_LOG_DAYS``.

    Raises:
        ValueError: a switch is neither on nor off, or the days are not 0 to 36,500.
    """
    text = environment.get("BRAIN_QUERY_LOG_DAYS", "30").strip()
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS else -1
    if not 0 <= days <= _MOST_DAYS:
        raise ValueError(f"BRAIN_QUERY_LOG_DAYS must be 0 to {_MOST_DAYS:,}.")
    return JournalSettings(
        logs_queries=read_switch(environment, "BRAIN_QUERY_LOG", otherwise=True),
        keeps_words=read_switch(environment, "BRAIN_QUERY_LOG_TEXT", otherwise=True),
        retention_days=days,
    )


class Record(msgspec.Struct, frozen=True):
    """One answer: what is logged of it, and what is counted."""

    query: LoggedQuery
    served: Served
    #: The bundle that was found in a cache; empty when none was.
    hit: str = ""
    #: A bundle that was given out while the store was away.
    owed: BundleRow | None = None


class Journal:
    """Takes records at once and writes them a second later; drops what the store cannot take."""

    def __init__(self, pool: Pool, settings: JournalSettings) -> None:
        self._pool = pool
        self.settings = settings
        self._waiting: deque[Record] = deque()

    def note(self, record: Record) -> None:
        """Take a record; never waits and never fails. When too many wait it is dropped."""
        if len(self._waiting) >= _MOST_WAITING:
            JOURNAL_DROPPED.inc()
            return
        self._waiting.append(record)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Write for as long as the context is open, and what waits at its end."""
        task = asyncio.create_task(self._keep_writing())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            with contextlib.suppress(StoreUnavailableError):
                await self.write()

    async def write(self) -> None:
        """Write what waits.

        Raises:
            StoreUnavailableError: the database is away; what waits goes on waiting.
        """
        while self._waiting:
            size = min(len(self._waiting), _BATCH)
            while size and not await self._is_written(list(islice(self._waiting, size))):
                # a record that the store cannot take must not take others with it
                size = size // 2
            for _ in range(size or 1):
                self._waiting.popleft()

    async def prune(self) -> None:
        """Remove what is kept no longer; raises as `write` does."""
        days = self.settings.retention_days
        async with transaction(self._pool) as connection:
            await forget_orphans(connection)
            await prune_bundle_texts(connection)
        while days:
            async with transaction(self._pool) as connection:
                if not await prune_queries(connection, days):
                    return

    async def _is_written(self, batch: list[Record]) -> bool:
        """Write a batch; one record that cannot be written is logged and counted as dropped."""
        try:
            async with transaction(self._pool) as connection:
                await self._write_batch(connection, batch)
        except StoreUnavailableError:
            raise
        except Exception:
            if len(batch) == 1:
                log.exception("record dropped", extra={"action": "journal"})
                JOURNAL_DROPPED.inc()
            return False
        return True

    async def _write_batch(self, connection: Connection, batch: list[Record]) -> None:
        if self.settings.logs_queries:
            words = self.settings.keeps_words
            await append_queries(connection, [_logged(each.query, words=words) for each in batch])
        await add_served(connection, _summed(each.served for each in batch))
        for each in batch:
            if each.owed:
                await keep_bundle(connection, each.owed)
        hits: dict[tuple[int, str], int] = {}
        for each in batch:
            if each.hit:
                key = (each.served.source_id, each.hit)
                hits[key] = hits.get(key, 0) + 1
        if hits:
            await count_bundle_hits(connection, hits)

    async def _keep_writing(self) -> None:
        pruned_at = float("-inf")
        loop = asyncio.get_running_loop()
        while True:
            try:
                await self.write()
                if loop.time() - pruned_at > _PRUNE_EVERY_S:
                    await self.prune()
                    pruned_at = loop.time()
            except StoreUnavailableError as error:
                log.warning("journal not written", extra={"error": error.detail})
            await asyncio.sleep(_WRITE_EVERY_S)


def _logged(query: LoggedQuery, *, words: bool) -> LoggedQuery:
    return query if words else msgspec.structs.replace(query, query=None)


def _summed(rows: Iterable[Served]) -> list[Served]:
    sums: dict[tuple[int, str], Served] = {}
    for row in rows:
        key = (row.source_id, row.name)
        before = sums.get(key, Served(row.source_id, row.name))
        sums[key] = Served(
            row.source_id,
            row.name,
            before.requests + row.requests,
            before.tokens + row.tokens,
            before.chunks + row.chunks,
            before.omitted + row.omitted,
            before.cache_hits + row.cache_hits,
            before.cache_misses + row.cache_misses,
        )
    return [sums[key] for key in sorted(sums)]
