"""Running a service: logs and traces first, then its app until a signal asks it to stop."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import uvloop
from opentelemetry.trace import TracerProvider

from brain.telemetry.logs import setup_logging
from brain.telemetry.tracing import setup_tracing

App = Callable[[TracerProvider | None], AbstractAsyncContextManager[None]]


Settings = TypeVar("Settings")


def settled(read: Callable[[], Settings]) -> Settings:
    """Read a service's settings; what is missing or makes no sense ends the process in one line."""
    try:
        return read()
    except KeyError as error:
        raise SystemExit(f"{error.args[0]} is not set.") from error
    except ValueError as error:
        raise SystemExit(f"A setting makes no sense: {error}") from error


def run_service(name: str, app: App, *, otlp_endpoint: str, log_level: str) -> None:
    """Run an app until SIGTERM or SIGINT, then leave its context and flush the last spans.

    Args:
        name: the service's name in logs and traces.
        app: opens the running app; it is given the tracer provider, or None without traces.
        otlp_endpoint: where spans go; empty for nowhere.
        log_level: such as ``INFO``.
    """
    setup_logging(name, log_level)
    tracing = setup_tracing(name, otlp_endpoint)
    try:
        uvloop.run(_run(app, tracing.provider if tracing else None))
    finally:
        if tracing:
            tracing.close()


async def _run(app: App, provider: TracerProvider | None) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with app(provider):
        await stop.wait()
