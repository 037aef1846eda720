"""Handlers: take a message, run one build, have its outcome recorded, acknowledge."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import nats.errors
from faststream.nats import NatsBroker
from faststream.nats.message import NatsMessage

from brain.builder.attempt import Attempt, fields_of
from brain.builder.job import Died, Filled, FillJob, Interrupted, Job, Nothing, Outcome
from brain.builder.outcomes import Outcomes
from brain.builder.settings import Settings
from brain.builder.slots import BuildSlots
from brain.embedding.providers import choose
from brain.events.branch_moved import BranchMoved
from brain.events.broker import BusUnavailableError, wake_builders
from brain.events.stream import WORK_STREAM
from brain.events.subjects import WorkClass, source_of
from brain.store.errors import StoreUnavailableError
from brain.store.pool import Pool, transaction
from brain.store.sources import find_source
from brain.store.vectors import owes_whole, want_vectors
from brain.telemetry.metrics import BUILD_SECONDS, BUILDS
from brain.telemetry.tracing import inject_context

log = logging.getLogger(__name__)

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
        self._outcomes = Outcomes(broker, pool)
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
        attempt = Attempt(source_id, self._broker)
        outcome = await self._filling.run(job, attempt.report)
        if isinstance(outcome, Filled) and outcome.pending and not outcome.is_stuck:
            await self._ask_again(source_id)
        elif isinstance(outcome, Interrupted | Died) and not self._closing:
            log.warning("no vectors filled in", extra=fields_of(attempt, error=outcome.error))
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
        attempt = Attempt(source_id, self._broker)
        began = time.monotonic()
        job = self._job(source_id, work_class)
        outcome = await self._slots[work_class].run(job, attempt.report)
        if attempt.started:
            BUILD_SECONDS.observe(time.monotonic() - began)
            BUILDS.labels(type(outcome).__name__.lower()).inc()
        if self._closing and isinstance(outcome, Died):
            return Interrupted("The builder stopped.")
        try:
            await self._outcomes.record(attempt, outcome)
        except (StoreUnavailableError, BusUnavailableError) as error:
            log.warning("build outcome not recorded", extra=fields_of(attempt, error=str(error)))
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
