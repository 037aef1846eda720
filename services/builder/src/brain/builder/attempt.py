"""An attempt: what is known of one build while it runs, and who is told."""

import contextlib

import nats.errors
from faststream.nats import NatsBroker

from brain.builder.job import Progress, Started
from brain.events.live import BuildProgress, LiveEvent
from brain.events.subjects import live_subject


class Attempt:
    """What is known of one build while it runs."""

    def __init__(self, source_id: int, broker: NatsBroker) -> None:
        self.source_id = source_id
        self.started: Started | None = None
        self._broker = broker

    @property
    def project_id(self) -> str:
        """Return the project, once the build said that it began."""
        return self.started.project_id if self.started else ""

    async def report(self, message: Started | Progress) -> None:
        """Hear what the build says of itself."""
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


def fields_of(attempt: Attempt, **more: object) -> dict[str, object]:
    """Return what a log line says of a build."""
    commit = attempt.started.commit if attempt.started else ""
    return {
        "action": "build",
        "source": attempt.source_id,
        "project": attempt.project_id,
        "commit": commit,
        **more,
    }
