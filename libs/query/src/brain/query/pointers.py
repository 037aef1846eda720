"""Which commit each project's index stands at, as this process has learnt it.

A notice from the database hints, a poll each second makes sure; what a snapshot reads decides.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from brain.store.errors import StoreUnavailableError
from brain.store.pointer import Pointer, listen_for_indexes, read_pointers
from brain.store.pool import Pool, transaction

log = logging.getLogger(__name__)

_POLL_S = 1.0
#: After this long without news the learnt pointers are not trusted, and every read asks.
_STALE_S = 4.0


class Pointers:
    """The learnt pointers, and a way to wait for them to change."""

    def __init__(self, pool: Pool, database_url: str) -> None:
        self._pool = pool
        self._database_url = database_url
        self._known: dict[str, Pointer] = {}
        self._learnt_at = float("-inf")
        self._changed = asyncio.Event()
        self._look_now = asyncio.Event()

    def get(self, project_id: str) -> Pointer | None:
        """Return a project's learnt pointer; None when unknown or when news is overdue."""
        if asyncio.get_running_loop().time() - self._learnt_at > _STALE_S:
            return None
        return self._known.get(project_id)

    def last_known(self, project_id: str) -> Pointer | None:
        """Return a project's learnt pointer however old it is; its source is still the same."""
        return self._known.get(project_id)

    def all(self) -> list[Pointer]:
        """Return every learnt pointer."""
        return list(self._known.values())

    async def changed(self, timeout_s: float) -> None:
        """Return when any pointer changed, or when the time is up."""
        event = self._changed
        try:
            async with asyncio.timeout(timeout_s):
                await event.wait()
        except TimeoutError:
            return

    async def refresh(self) -> None:
        """Read every pointer now.

        Raises:
            StoreUnavailableError: the database is away.
        """
        async with transaction(self._pool) as connection:
            pointers = await read_pointers(connection)
        known = {pointer.project_id: pointer for pointer in pointers}
        self._learnt_at = asyncio.get_running_loop().time()
        if known != self._known:
            self._known = known
            self._changed.set()
            self._changed = asyncio.Event()

    @asynccontextmanager
    async def learning(self) -> AsyncIterator[None]:
        """Keep learning for as long as the context is open."""
        tasks = [asyncio.create_task(self._poll()), asyncio.create_task(self._listen())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _poll(self) -> None:
        while True:
            try:
                await self.refresh()
            except StoreUnavailableError as error:
                log.warning("pointers not read", extra={"error": error.detail})
            self._look_now.clear()
            try:
                async with asyncio.timeout(_POLL_S):
                    await self._look_now.wait()
            except TimeoutError:
                continue

    async def _listen(self) -> None:
        while True:
            try:
                async for _ in listen_for_indexes(self._database_url):
                    self._look_now.set()
            except StoreUnavailableError as error:
                log.warning("not listening for indexes", extra={"error": error.detail})
            await asyncio.sleep(_POLL_S)
