"""The broker: one NATS connection a service, healed for ever, traced when traces are on."""

import nats.errors
from fast_depends.msgspec import MsgSpecSerializer
from faststream.nats import NatsBroker
from faststream.nats.opentelemetry import NatsTelemetryMiddleware
from nats.js.errors import APIError
from opentelemetry.trace import TracerProvider

from brain.events.branch_moved import BranchMoved
from brain.events.stream import WORK_STREAM, is_already_waiting
from brain.events.subjects import WorkClass, work_subject

_GRACE_S = 10.0
_PUBLISH_TIMEOUT_S = 3.0


class BusUnavailableError(Exception):
    """The message bus cannot be reached at the moment."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"{self.__doc__} ({detail})")
        self.detail = detail


def create_broker(url: str, name: str, tracer_provider: TracerProvider | None) -> NatsBroker:
    """Describe a broker; it connects when it is started and reconnects without end.

    Args:
        url: ``nats://user:password@host:port``, several joined by commas.
        name: shown by the server's monitoring.
        tracer_provider: spans of publishing and consuming go there; None traces nothing.
    """
    middlewares = [NatsTelemetryMiddleware(tracer_provider=tracer_provider)]
    return NatsBroker(
        url.split(","),
        name=name,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        graceful_timeout=_GRACE_S,
        serializer=MsgSpecSerializer(),
        middlewares=middlewares if tracer_provider else (),
        logger=None,
    )


async def wake_builders(
    broker: NatsBroker, project_id: str, source_id: int, work_class: WorkClass = "fresh"
) -> None:
    """Publish the hint that a source is owed a build; a hint that waits already is enough.

    Raises:
        BusUnavailableError: NATS did not acknowledge; the demand row stays, and the reconcile
            publishes again.
    """
    subject = work_subject(work_class, project_id, source_id)
    try:
        await broker.publish(BranchMoved(), subject, stream=WORK_STREAM, timeout=_PUBLISH_TIMEOUT_S)
    except APIError as error:
        if not is_already_waiting(error):
            raise BusUnavailableError(str(error)) from error
    except (nats.errors.Error, OSError) as error:
        raise BusUnavailableError(str(error)) from error
