"""Handlers: take a message, run one build, record how it ended, acknowledge."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import nats.errors
from faststream.nats import NatsBroker
from faststream.nats.message import NatsMessage

from brain.builder.job import (
    Died,
    Filled,
    FillJob,
    Interrupted,
    Job,
    Nothing,
    Outcome,
    Overtaken,
    Progress,
    Published,
    Refused,
    Started,
)
from brain.builder.settings import Settings
from brain.builder.slots import BuildSlots
from brain.embedding.providers import choose
from brain.events.branch_moved import BranchMoved
from brain.events.broker import BusUnavailableError, wake_builders
from brain.events.live import BuildFailed, BuildProgress, LiveEvent, TreeBuilt
from brain.events.stream import WORK_STREAM
from brain.events.subjects import WorkClass, live_subject, source_of
from brain.store.builds import (
    MAX_ATTEMPTS,
    Retry,
    record_death,
    record_final_failure,
    record_outage,
)
from brain.store.errors import StoreUnavailableError
from brain.store.pool import Pool, transaction
from brain.store.sources import find_source
from brain.store.vectors import owes_whole, want_vectors
from brain.telemetry.metrics import BUILD_SECONDS, BUILDS
from brain.telemetry.tracing import inject_context

log = logging.getLogger(__name__)

#: Wait before the reconcile tries again after an outage or the first death; doubles a death.
RETRY_S = 5.0


_SOON = Retry(RETRY_S)
#: The longest a stopping builder waits for its builds to be handed over.
_HAND_OVER_S = 8.0


class Builder:
    """One builder process: consumes lanes, owns child slots, records outcomes."""

    def __init__(self, settings: Settings, broker: NatsBroker, pool: Pool) -> None:
        self._settings = settings
        self._broker = broker
        self._pool = pool
        self._slots: dict[WorkClass, BuildSlots] = {
            "fresh": BuildSlots(settings.slots),
            "background": BuildSlots(1),
        }
        self._filling = BuildSlots(1)
        self._choice = choose(settings.embedding)
        self._model = self._choice.model.name if self._choice.model else ""
        self._closing = False
        self._at_work = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def on_branch_moved(self, message: NatsMessage, work_class: WorkClass) -> None:
        """Run whatever the source of this message is owed, then acknowledge.

        The acknowledgement comes after the outcome is recorded. When recording fails the message
        is acknowledged all the same: the demand row still owes, and the reconcile reads rows.
        """
        source_id = source_of(message.raw_message.subject)
        with self._working():
            async with self._heartbeats(message):
                await self._work(source_id, work_class)
            if self._closing:
                await self._hand_over(message)
            with contextlib.suppress(nats.errors.Error):
                await message.ack_sync()

    async def _work(self, source_id: int, work_class: WorkClass) -> None:
        if work_class != "background":
            await self.build(source_id, work_class)
            return
        try:
            async with transaction(self._pool) as connection:
                owed = await owes_whole(connection, source_id)
        except StoreUnavailableError:
            return
        if owed:
            await self.build(source_id, work_class)
        await self.fill(source_id)

    async def settle_model(self) -> None:
        """Have every source use the model that is configured; the reconcile wakes us for them."""
        if self._choice.problem:
            log.warning("no vectors", extra={"action": "fill", "error": self._choice.problem})
        async with transaction(self._pool) as connection:
            await want_vectors(connection, self._model)

    async def fill(self, source_id: int) -> Outcome:
        """Fill in vectors of one source for one turn, and ask for the next while some wait.

        What cannot be done now is tried again by the reconcile.
        """
        if not self._model:
            return Nothing("no model")
        job = FillJob(
            source_id=source_id,
            database_url=self._settings.database_url,
            mirrors=str(self._settings.mirrors),
            embedding=self._settings.embedding,
            model=self._model,
            log_level=self._settings.log_level,
        )
        attempt = _Attempt(source_id, self._broker)
        outcome = await self._filling.run(job, attempt.report)
        if isinstance(outcome, Filled) and outcome.pending and not outcome.is_stuck:
            await self._ask_again(source_id)
        elif isinstance(outcome, Interrupted | Died) and not self._closing:
            log.warning("no vectors filled in", extra=_fields(attempt, error=outcome.error))
        return outcome

    async def _ask_again(self, source_id: int) -> None:
        try:
            async with transaction(self._pool) as connection:
                source = await find_source(connection, source_id)
            if source is not None:
                await wake_builders(self._broker, source.project_id, source_id, "background")
        except (StoreUnavailableError, BusUnavailableError) as error:
            log.warning("no further turn", extra={"action": "fill", "error": str(error)})

    async def build(self, source_id: int, work_class: WorkClass) -> Outcome:
        """Build one source and record how it ended."""
        attempt = _Attempt(source_id, self._broker)
        began = time.monotonic()
        job = self._job(source_id, work_class)
        outcome = await self._slots[work_class].run(job, attempt.report)
        if attempt.started:
            BUILD_SECONDS.observe(time.monotonic() - began)
            BUILDS.labels(type(outcome).__name__.lower()).inc()
        if self._closing and isinstance(outcome, Died):
            return Interrupted("The builder stopped.")
        try:
            await self._record(attempt, outcome)
        except (StoreUnavailableError, BusUnavailableError) as error:
            log.warning("build outcome not recorded", extra=_fields(attempt, error=str(error)))
        return outcome

    async def close(self) -> None:
        """End all children, and return once their builds are handed to other builders.

        Stopping the broker before that could leave a message ours, unacknowledged, and its lane
        blocked until the server gives up on us.
        """
        self._closing = True
        for slots in (*self._slots.values(), self._filling):
            slots.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_HAND_OVER_S):
                await self._idle.wait()

    @contextmanager
    def _working(self) -> Iterator[None]:
        self._at_work += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._at_work -= 1
            if not self._at_work:
                self._idle.set()

    def _job(self, source_id: int, work_class: WorkClass) -> Job:
        return Job(
            source_id=source_id,
            database_url=self._settings.database_url,
            mirrors=str(self._settings.mirrors),
            background=work_class == "background",
            log_level=self._settings.log_level,
            otlp_endpoint=self._settings.otlp_endpoint,
            trace=inject_context(),
            model=self._model,
        )

    async def _record(self, attempt: "_Attempt", outcome: Outcome) -> None:
        started = attempt.started
        if isinstance(outcome, Published):
            await self._record_published(attempt, outcome)
        elif isinstance(outcome, Overtaken):
            log.warning("build overtaken", extra=_fields(attempt, error=outcome.why))
        elif isinstance(outcome, Refused) and started:
            await self._give_up(attempt, started, outcome.error)
        elif isinstance(outcome, Died) and started:
            await self._record_death(attempt, started, outcome)
        elif isinstance(outcome, Interrupted | Died):
            await self._record_outage(attempt, started, outcome.error)

    async def _record_published(self, attempt: "_Attempt", outcome: Published) -> None:
        log.info("index published", extra=_fields(attempt, documents=outcome.documents))
        await attempt.announce(TreeBuilt(attempt.project_id, outcome.commit, outcome.documents))
        if outcome.owed.fresh:
            await wake_builders(self._broker, attempt.project_id, attempt.source_id)
        if outcome.owed.background:
            await wake_builders(self._broker, attempt.project_id, attempt.source_id, "background")

    async def _give_up(self, attempt: "_Attempt", started: Started, error: str) -> None:
        log.error("build failed for good", extra=_fields(attempt, error=error))
        async with transaction(self._pool) as connection:
            owed = await record_final_failure(
                connection,
                attempt.source_id,
                fence=started.fence,
                commit=started.commit,
                met_seq=started.wanted_seq,
                error=error,
            )
        await attempt.announce(BuildFailed(attempt.project_id, started.commit, error, final=True))
        if owed:
            await wake_builders(self._broker, attempt.project_id, attempt.source_id)

    async def _record_death(self, attempt: "_Attempt", started: Started, died: Died) -> None:
        async with transaction(self._pool) as connection:
            attempts = await record_death(
                connection,
                attempt.source_id,
                fence=started.fence,
                commit=started.commit,
                error=died.error,
            )
        if attempts >= MAX_ATTEMPTS:
            await self._give_up(attempt, started, f"{died.error} It died {attempts} times.")
        elif attempts:
            retry = Retry(RETRY_S * 2 ** (attempts - 1), died.reason)
            await self._record_outage(attempt, started, died.error, retry)

    async def _record_outage(
        self,
        attempt: "_Attempt",
        started: Started | None,
        error: str,
        retry: Retry = _SOON,
    ) -> None:
        log.warning("build interrupted", extra=_fields(attempt, error=error))
        if started is None:
            return
        async with transaction(self._pool) as connection:
            await record_outage(
                connection,
                attempt.source_id,
                fence=started.fence,
                error=error,
                retry=retry,
            )
        await attempt.announce(BuildFailed(attempt.project_id, started.commit, error, final=False))

    async def _hand_over(self, message: NatsMessage) -> None:
        """Leave a fresh wake-up for the builders that stay; ours is acknowledged, not returned.

        A returned message counts a delivery, and a build must not be given up because builders
        were restarted five times. When the bus is away the reconcile wakes them.
        """
        subject = message.raw_message.subject
        with contextlib.suppress(nats.errors.Error, OSError):
            await self._broker.publish(BranchMoved(), subject, stream=WORK_STREAM)

    @asynccontextmanager
    async def _heartbeats(self, message: NatsMessage) -> AsyncIterator[None]:
        """Keep the message ours while we wait for a slot and while we build."""
        task = asyncio.create_task(self._beat(message))
        try:
            yield
        except asyncio.CancelledError:
            with contextlib.suppress(nats.errors.Error):
                await message.nack()
            raise
        finally:
            task.cancel()

    async def _beat(self, message: NatsMessage) -> None:
        while True:
            await asyncio.sleep(self._settings.heartbeat_s)
            with contextlib.suppress(nats.errors.Error):
                await message.in_progress()


class _Attempt:
    """What is known of one build while it runs."""

    def __init__(self, source_id: int, broker: NatsBroker) -> None:
        self.source_id = source_id
        self.started: Started | None = None
        self._broker = broker

    @property
    def project_id(self) -> str:
        return self.started.project_id if self.started else ""

    async def report(self, message: Started | Progress) -> None:
        if isinstance(message, Started):
            self.started = message
            return
        commit = self.started.commit if self.started else ""
        await self.announce(
            BuildProgress(self.project_id, commit, message.phase, message.done, message.total)
        )

    async def announce(self, event: LiveEvent) -> None:
        """Tell whoever listens; nobody may, and a bus that is away loses nothing that matters."""
        with contextlib.suppress(nats.errors.Error, OSError):
            await self._broker.publish(event, live_subject(self.source_id))


def _fields(attempt: _Attempt, **more: object) -> dict[str, object]:
    commit = attempt.started.commit if attempt.started else ""
    return {
        "action": "build",
        "source": attempt.source_id,
        "project": attempt.project_id,
        "commit": commit,
        **more,
    }
