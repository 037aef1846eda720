"""Look: ask the watcher to fetch one source at once. NATS request and reply."""

import contextlib

import msgspec
import nats.errors
from faststream.nats import NatsBroker

from brain.events.broker import BusUnavailableError
from brain.events.subjects import look_subject

_PING_S = 3


class LookRequest(msgspec.Struct, frozen=True):
    """Fetch now.

    Sent by the read-api for a build command or a ``waitFor``; answered by a watcher.
    """


class LookReply(msgspec.Struct, frozen=True):
    """What the remote's branch is at, or why it cannot be told."""

    branch: str = ""
    commit: str = ""
    #: Empty, or the reason: ``empty``, ``branch-gone``, ``unreachable`` and so on.
    reason: str = ""
    error: str = ""


async def request_look(broker: NatsBroker, source_id: int, timeout_s: float) -> LookReply:
    """Have the watcher look at a source's remote and wait for what it found.

    Raises:
        BusUnavailableError: NATS is away, no watcher answers, or the look takes longer.
    """
    try:
        # A look may take long, a bus that is away must be told at once: it answers a ping or not.
        await (await broker.connect()).flush(timeout=_PING_S)
        reply = await broker.request(LookRequest(), look_subject(source_id), timeout=timeout_s)
        return msgspec.json.decode(reply.body, type=LookReply)
    except (nats.errors.Error, OSError, TimeoutError, msgspec.DecodeError) as error:
        raise BusUnavailableError(str(error) or "no watcher answered in time") from error


async def hint_look(broker: NatsBroker, source_id: int, timeout_s: float) -> None:
    """Ask for a look and go on whether or not one can be had: the poll looks soon anyway."""
    with contextlib.suppress(BusUnavailableError):
        await request_look(broker, source_id, timeout_s)


async def nudge_look(broker: NatsBroker, source_id: int) -> None:
    """Ask for a look without waiting for it; lost when the bus is away, and then the poll looks."""
    with contextlib.suppress(nats.errors.Error, OSError):
        await broker.publish(LookRequest(), look_subject(source_id))
