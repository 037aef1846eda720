"""The host's wiring: the services' own apps in one loop, REST and MCP on one port."""

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from opentelemetry.trace import TracerProvider

from brain.builder.app import running as builder_running
from brain.cli.host.settings import Settings
from brain.mcp_gateway.app import mcp_endpoint
from brain.mcp_gateway.gateway import Gateway
from brain.read_api.app import running as read_api_running
from brain.sync_watcher.app import running as watcher_running
from brain.telemetry.serving import served

AsgiScope = MutableMapping[str, Any]
AsgiApp = Callable[[Any, Any, Any], Awaitable[None]]


@asynccontextmanager
async def running(settings: Settings, provider: TracerProvider | None) -> AsyncIterator[None]:
    """Run every service for as long as the context is open."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(watcher_running(settings.watcher, provider))
        await stack.enter_async_context(builder_running(settings.builder, provider))
        rest = await stack.enter_async_context(read_api_running(settings.api, provider))
        api = rest.state.api
        gateway = Gateway(api.pool, api.broker, api.authenticator, api.questions)
        mcp = await stack.enter_async_context(mcp_endpoint(gateway, settings.api.allowed_hosts))
        app = by_path(rest, mcp)
        await stack.enter_async_context(served(app, settings.api.host, settings.api.port))
        yield


def by_path(rest: AsgiApp, mcp: AsgiApp) -> AsgiApp:
    """Send ``/mcp`` to the gateway and everything else to the read-api."""

    async def dispatch(scope: AsgiScope, receive: object, send: object) -> None:
        is_mcp = scope["type"] == "http" and scope["path"].rstrip("/") == "/mcp"
        await (mcp if is_mcp else rest)(scope, receive, send)

    return dispatch
