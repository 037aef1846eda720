"""Live events: one NATS subscription a process, handed on to whoever watches a project."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import msgspec

#: A watcher that reads slower than events come loses the oldest.
_MOST_WAITING = 64


class LiveEvents:
    """Hands events of sources to their watchers; slow watchers lose events, never others'."""

    def __init__(self) -> None:
        self._watchers: dict[int, set[asyncio.Queue[bytes]]] = {}

    def hand_on(self, source_id: int, event: bytes) -> None:
        """Give one event, JSON as it came, to everybody who watches its source."""
        for queue in self._watchers.get(source_id, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(event)

    async def watch(self, source_id: int) -> AsyncIterator[bytes]:
        """Yield the events of one source from now on."""
        queue: asyncio.Queue[bytes] = asyncio.Queue(_MOST_WAITING)
        self._watchers.setdefault(source_id, set()).add(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            watchers = self._watchers.get(source_id, set())
            watchers.discard(queue)
            if not watchers:
                self._watchers.pop(source_id, None)


def event_type(event: bytes) -> str:
    """Return the kind of an event; ``message`` when it has none."""
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(event, type=_Tagged).type
    return "message"


class _Tagged(msgspec.Struct):
    type: str = "message"
