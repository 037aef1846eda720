"""Outcomes: how a build ended, written to the store, told to whoever listens, and what follows."""

import logging

from faststream.nats import NatsBroker

from brain.builder.attempt import Attempt, fields_of
from brain.builder.job import Died, Interrupted, Outcome, Overtaken, Published, Refused, Started
from brain.events.broker import wake_builders
from brain.events.live import BuildFailed, TreeBuilt
from brain.store.builds import (
    MAX_ATTEMPTS,
    Retry,
    record_death,
    record_final_failure,
    record_outage,
)
from brain.store.pool import Pool, transaction

log = logging.getLogger(__name__)

#: Wait before the reconcile tries again after an outage or the first death; doubles a death.
RETRY_S = 5.0
_SOON = Retry(RETRY_S)


class Outcomes:
    """Records outcomes of builds."""

    def __init__(self, broker: NatsBroker, pool: Pool) -> None:
        self._broker = broker
        self._pool = pool

    async def record(self, attempt: Attempt, outcome: Outcome) -> None:
        """Record how a build ended.

        Raises:
            StoreUnavailableError, BusUnavailableError: it could not be recorded; the demand still
                owes, and the reconcile reads it.
        """
        started = attempt.started
        if isinstance(outcome, Published):
            await self._record_published(attempt, outcome)
        elif isinstance(outcome, Overtaken):
            log.warning("build overtaken", extra=fields_of(attempt, error=outcome.why))
        elif isinstance(outcome, Refused) and started:
            await self._give_up(attempt, started, outcome.error)
        elif isinstance(outcome, Died) and started:
            await self._record_death(attempt, started, outcome)
        elif isinstance(outcome, Interrupted | Died):
            await self._record_outage(attempt, started, outcome.error)

    async def _record_published(self, attempt: Attempt, outcome: Published) -> None:
        log.info("index published", extra=fields_of(attempt, documents=outcome.documents))
        await attempt.announce(TreeBuilt(attempt.project_id, outcome.commit, outcome.documents))
        if outcome.owed.fresh:
            await wake_builders(self._broker, attempt.project_id, attempt.source_id)
        if outcome.owed.background:
            await wake_builders(self._broker, attempt.project_id, attempt.source_id, "background")

    async def _give_up(self, attempt: Attempt, started: Started, error: str) -> None:
        log.error("build failed for good", extra=fields_of(attempt, error=error))
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

    async def _record_death(self, attempt: Attempt, started: Started, died: Died) -> None:
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
        attempt: Attempt,
        started: Started | None,
        error: str,
        retry: Retry = _SOON,
    ) -> None:
        log.warning("build interrupted", extra=fields_of(attempt, error=error))
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
