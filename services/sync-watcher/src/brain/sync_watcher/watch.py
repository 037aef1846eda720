"""The watcher: polls remotes, records moved tips as demand, wakes builders, heals what was lost."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

from faststream.nats import NatsBroker

from brain.events.broker import BusUnavailableError, wake_builders
from brain.events.look import LookReply
from brain.gitmirror.mirror import Mirror, mirrored_sources, remove
from brain.gitmirror.mirror_lock import MirrorBusyError
from brain.store.demand import Owed, Tip, list_owed, record_tip
from brain.store.errors import StoreUnavailableError
from brain.store.pool import Pool, transaction
from brain.store.sources import SourceRow, find_source, list_sources
from brain.sync_watcher.look import DAMAGED, access_of, is_local, is_unmoved, look_at
from brain.sync_watcher.settings import Settings
from brain.telemetry.metrics import DOCUMENTS, RECONCILED, SOURCES
from brain.telemetry.tracing import span

log = logging.getLogger(__name__)

_LOOKS_AT_ONCE = 4
_TICK_S = 1.0
_WHOLE_LOOK_S = 60.0


class Watcher:
    """Owns the mirrors. Every method re-reads the rows it works on; none trusts a message."""

    def __init__(self, settings: Settings, broker: NatsBroker, pool: Pool) -> None:
        self._settings = settings
        self._broker = broker
        self._pool = pool
        self._access = access_of(settings)
        self._looking: dict[int, asyncio.Lock] = {}
        self._slots = asyncio.Semaphore(_LOOKS_AT_ONCE)
        self._due: dict[int, float] = {}
        self._looked: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        #: Wake-ups that the bus did not take; sent again with every poll.
        self._unsent: dict[int, Owed] = {}

    async def look(self, source: SourceRow) -> Tip:
        """Look at one source now: fetch, record, and wake a builder if the tip moved.

        Raises:
            StoreUnavailableError: what was found could not be recorded; the next poll finds it
                again.
        """
        async with self._looking.setdefault(source.id, asyncio.Lock()), self._slots:
            with span("look", project=source.project_id):
                tip = await look_at(source, self._settings.mirrors, self._access)
                async with transaction(self._pool) as connection:
                    moved = await record_tip(connection, source.id, tip)
                if moved:
                    log.info(
                        "branch moved",
                        extra={
                            "action": "look",
                            "project": source.project_id,
                            "commit": tip.commit,
                        },
                    )
                if moved or (source.reason == DAMAGED and tip.commit):
                    await self._wake(Owed(source.id, source.project_id))
        return tip

    async def on_look_request(self, source_id: int) -> LookReply:
        """Answer a request to look at once."""
        async with transaction(self._pool) as connection:
            source = await find_source(connection, source_id)
        if source is None or not source.enabled:
            return LookReply(reason="off", error="The source is turned off or gone.")
        tip = await self.look(source)
        return LookReply(tip.branch, tip.commit, tip.reason, tip.error)

    async def poll(self) -> None:
        """Begin a look at every source whose interval has passed; a slow remote delays no other."""
        mirrored = mirrored_sources(self._settings.mirrors)
        async with transaction(self._pool) as connection:
            sources = await list_sources(connection)
        self._count(sources)
        self._forget_removed(mirrored, {source.id for source in sources})
        await self._send_again({source.id for source in sources})
        moment = asyncio.get_running_loop().time()
        for source in sources:
            if source.enabled and self._due.get(source.id, 0.0) <= moment:
                self._due[source.id] = moment + self._interval(source)
                self._begin_look(source)

    async def reconcile(self) -> None:
        """Wake builders for every demand that is not met and that no build works on."""
        async with transaction(self._pool) as connection:
            owed = await list_owed(connection)
        for each in owed:
            RECONCILED.inc()
            await self._wake(each)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Poll and reconcile for as long as the context is open."""
        loops = [
            asyncio.create_task(self._every(_TICK_S, self.poll)),
            asyncio.create_task(self._every(self._settings.reconcile_s, self.reconcile)),
        ]
        try:
            yield
        finally:
            for task in (*loops, *self._tasks):
                task.cancel()
            await asyncio.gather(*loops, *self._tasks, return_exceptions=True)

    async def _every(
        self, period_s: float, work: Callable[[], Coroutine[None, None, None]]
    ) -> None:
        while True:
            try:
                await work()
            except StoreUnavailableError as error:
                log.warning("store away", extra={"action": work.__name__, "error": error.detail})
            await asyncio.sleep(period_s)

    def _begin_look(self, source: SourceRow) -> None:
        lock = self._looking.get(source.id)
        if lock is not None and lock.locked():
            return
        task = asyncio.create_task(self._look_quietly(source))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_quietly(self, source: SourceRow) -> None:
        """Look, but leave the mirror and the store alone while a local repository stands still.

        Once a minute the whole look is made all the same: it mends a mirror that lost something.
        """
        moment = asyncio.get_running_loop().time()
        rested = moment - self._looked.get(source.id, -_WHOLE_LOOK_S) < _WHOLE_LOOK_S
        if rested and is_local(source) and await is_unmoved(source, self._access):
            return
        self._looked[source.id] = moment
        with contextlib.suppress(StoreUnavailableError):
            await self.look(source)

    async def _wake(self, owed: Owed) -> None:
        try:
            await wake_builders(self._broker, owed.project_id, owed.id, owed.work_class)
        except BusUnavailableError as error:
            self._unsent[owed.id] = owed
            log.warning(
                "builders not woken", extra={"project": owed.project_id, "error": error.detail}
            )
        else:
            self._unsent.pop(owed.id, None)

    async def _send_again(self, present: set[int]) -> None:
        for owed in list(self._unsent.values()):
            if owed.id in present:
                await self._wake(owed)
            else:
                del self._unsent[owed.id]

    def _interval(self, source: SourceRow) -> float:
        local = is_local(source)
        return self._settings.local_poll_s if local else self._settings.remote_poll_s

    def _forget_removed(self, mirrored: set[int], present: set[int]) -> None:
        """Drop the mirrors of sources that are gone, whoever watched when they went.

        Args:
            mirrored: what had a mirror before the sources were listed.
            present: the sources.
        """
        for source_id in mirrored - present:
            # Busy: a look is still writing it, and the next poll tries again.
            with contextlib.suppress(MirrorBusyError, OSError):
                remove(Mirror(self._settings.mirrors, source_id), wait_s=0)
        for source_id in set(self._due) - present:
            del self._due[source_id]
            self._looking.pop(source_id, None)
            self._looked.pop(source_id, None)

    def _count(self, sources: list[SourceRow]) -> None:
        states = [source.state for source in sources]
        for state in ("not-built", "queued", "indexing", "ready", "failed", "off"):
            SOURCES.labels(state).set(states.count(state))
        DOCUMENTS.set(sum(source.counts.get("documents", 0) for source in sources))
