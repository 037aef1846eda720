"""The bench's own host: the product's services, and beside them routes that do nothing.

``python -m brain.evaluation.bench.host``; the bench's supervisor starts it.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, cast

import mcp_types as types
from litestar import get
from litestar.types import ASGIApp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from opentelemetry.trace import TracerProvider

from brain.builder.app import running as builder_running
from brain.cli.host.app import AsgiScope, by_path
from brain.cli.host.settings import Settings
from brain.mcp_gateway.app import mcp_endpoint
from brain.mcp_gateway.gateway import Gateway
from brain.read_api.app import running as read_api_running
from brain.read_api.authentication import public
from brain.read_api.routes.health import Health
from brain.sync_watcher.app import running as watcher_running
from brain.telemetry.service import run_service
from brain.telemetry.serving import served

NOTHING = "/bench/nothing"
NOTHING_MCP = "/bench/mcp"


@get(NOTHING, opt=public())
async def nothing() -> Health:
    """Answer with a little JSON."""
    return Health()


@asynccontextmanager
async def running(settings: Settings, provider: TracerProvider | None) -> AsyncIterator[None]:
    """Run every service, as the product's host does, and what does nothing."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(watcher_running(settings.watcher, provider))
        await stack.enter_async_context(builder_running(settings.builder, provider))
        rest = await stack.enter_async_context(read_api_running(settings.api, provider))
        rest.register(nothing)
        api = rest.state.api
        gateway = Gateway(api.pool, api.broker, api.authenticator, api.questions)
        mcp = await stack.enter_async_context(mcp_endpoint(gateway, settings.api.allowed_hosts))
        nothing_mcp = await stack.enter_async_context(_nothing_mcp())
        app = _beside(nothing_mcp, cast("ASGIApp", by_path(rest, mcp)))
        await stack.enter_async_context(served(app, settings.api.host, settings.api.port))
        yield


@asynccontextmanager
async def _nothing_mcp() -> AsyncIterator[ASGIApp]:
    """Open an endpoint of the same SDK and transport whose one tool says a word."""
    manager = StreamableHTTPSessionManager(
        app=Server("nothing", on_call_tool=_say_nothing), json_response=True, stateless=True
    )
    async with manager.run():
        yield cast("ASGIApp", manager.handle_request)


async def _say_nothing(
    _context: ServerRequestContext[Any], _params: types.CallToolRequestParams
) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text="nothing")])


def _beside(nothing_mcp: ASGIApp, product: ASGIApp) -> ASGIApp:
    async def dispatch(scope: AsgiScope, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        app = nothing_mcp if scope.get("path") == NOTHING_MCP else product
        await app(cast("Any", scope), receive, send)

    return cast("ASGIApp", dispatch)


def main() -> None:
    """Run until a signal comes."""
    settings = Settings.from_env()
    run_service(
        "brain",
        lambda provider: running(settings, provider),
        otlp_endpoint=settings.api.otlp_endpoint,
        log_level=settings.api.log_level,
    )


if __name__ == "__main__":
    main()
