"""Load: as many requests as a server answers over a few connections that stay open.

The client is a bare protocol, because on two cores a slow client would hide a fast server.
"""

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import cast

import msgspec
import uvloop
from typing_extensions import override

CONNECTIONS = 16
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)
_GRACE_S = 10.0


class Load(msgspec.Struct, frozen=True):
    """How a server answered."""

    #: Answers a second.
    rate: float
    #: Of every answer.
    latencies_s: list[float]
    #: Answers that were not 200.
    errors: int


class LoadError(Exception):
    """The server cannot be measured."""


class Target(msgspec.Struct, frozen=True):
    """A server on this machine."""

    port: int
    token: str

    def get(self, path: str) -> bytes:
        """Write a GET request."""
        return self._request("GET", path, b"")

    def post(self, path: str, message: object) -> bytes:
        """Write a POST request of JSON."""
        return self._request("POST", path, msgspec.json.encode(message))

    def _request(self, method: str, path: str, body: bytes) -> bytes:
        lines = (
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.token}",
            "Accept: application/json, text/event-stream",
            f"Content-Length: {len(body)}",
            *(["Content-Type: application/json"] if body else []),
        )
        return "\r\n".join((*lines, "", "")).encode() + body


def run_load(
    target: Target, requests: Sequence[bytes], seconds: float, connections: int = CONNECTIONS
) -> Load:
    """Send requests in turn over every connection, each as soon as its last was answered.

    Raises:
        LoadError: the server closed a connection or answered nothing.
    """
    return uvloop.run(_load(target.port, requests, seconds, connections))


async def _load(port: int, requests: Sequence[bytes], seconds: float, connections: int) -> Load:
    loop = asyncio.get_running_loop()
    pending, told = cycle(requests), _Told([], 0)
    began = time.perf_counter()
    opened = []
    for _ in range(connections):
        opened.append(_Connection(pending, told, began + seconds, loop.create_future()))
        await loop.create_connection(lambda: opened[-1], "127.0.0.1", port)
    try:
        async with asyncio.timeout(seconds + _GRACE_S):
            await asyncio.gather(*(connection.ended for connection in opened))
    finally:
        for connection in opened:
            connection.close()
    if not told.latencies_s:
        raise LoadError("nothing was answered")
    took_s = time.perf_counter() - began
    return Load(len(told.latencies_s) / took_s, told.latencies_s, told.errors)


class _Told(msgspec.Struct):
    """What all connections were told together."""

    latencies_s: list[float]
    errors: int


class _Connection(asyncio.Protocol):
    """One connection: a request, its answer, the next request."""

    def __init__(
        self, requests: Iterator[bytes], told: _Told, until: float, ended: "asyncio.Future[None]"
    ) -> None:
        self.ended = ended
        self._requests, self._told, self._until = requests, told, until
        self._buffer = b""
        self._sent_at = 0.0
        self._transport: asyncio.Transport | None = None

    def close(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # of a TCP connection
        self._send()

    @override
    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self._buffer, 0, end + 2)
        if length is None:
            self._fail("an answer has no length")
        elif len(self._buffer) >= end + 4 + int(length[1]):
            self._answered()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self._fail("a connection was closed")

    def _answered(self) -> None:
        self._told.latencies_s.append(time.perf_counter() - self._sent_at)
        self._told.errors += not self._buffer.startswith(b"HTTP/1.1 200")
        self._buffer = b""
        if time.perf_counter() < self._until:
            self._send()
        elif not self.ended.done():
            self.ended.set_result(None)

    def _send(self) -> None:
        self._sent_at = time.perf_counter()
        if self._transport is not None:
            self._transport.write(next(self._requests))

    def _fail(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_exception(LoadError(why))
