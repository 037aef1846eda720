"""Serving: an HTTP app inside a running loop, stopped in order and never by the server's own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from typing_extensions import override

_GRACE_S = 15
_KEEP_ALIVE_S = 5
_MOST_CONNECTIONS = 1_000


class PortTakenError(Exception):
    """Something else listens on the port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"Port {port} on {host} is taken; choose another.")
        self.port = port


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def served(app: Any, host: str, port: int) -> AsyncIterator[None]:  # noqa: ANN401 - ASGI
    """Serve an ASGI app for as long as the context is open; requests in flight may finish.

    Raises:
        PortTakenError: the port cannot be listened on.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    server = _Server(config)
    task = asyncio.create_task(_serve(server))
    while not server.started and not task.done():  # noqa: ASYNC110 - a flag is all it gives
        await asyncio.sleep(0.01)
    if task.done():
        raise PortTakenError(host, port)
    try:
        yield
    finally:
        server.should_exit = True
        await task


async def _serve(server: uvicorn.Server) -> None:
    """Turn the server's way of giving up into an ended task."""
    try:
        await server.serve()
    except SystemExit:
        return
