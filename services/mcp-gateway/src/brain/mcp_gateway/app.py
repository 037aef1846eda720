"""The mcp-gateway's wiring."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import cast

import msgspec
from litestar import Litestar, Response, asgi, get
from litestar.types import ASGIApp, Receive, Scope, Send
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from opentelemetry.trace import TracerProvider

from brain.events.broker import create_broker
from brain.mcp_gateway.bearer import BearerGate
from brain.mcp_gateway.gateway import Gateway
from brain.mcp_gateway.server import create_server
from brain.mcp_gateway.settings import Settings
from brain.query.authenticator import Authenticator
from brain.query.index_cache import IndexCache
from brain.query.journal import Journal
from brain.query.pointers import Pointers
from brain.query.questions import Questions
from brain.query.reader import Reader
from brain.query.texts import Texts
from brain.query.vector_shelf import VectorShelf
from brain.store.pool import create_pool, is_reachable
from brain.telemetry.metrics import CONTENT_TYPE, render

MOST_BODY_BYTES = 1024 * 1024


@asynccontextmanager
async def running(settings: Settings, provider: TracerProvider | None) -> AsyncIterator[Litestar]:
    """Run a gateway with collaborators of its own for as long as the context is open."""
    broker = create_broker(settings.nats_url, "brain-mcp-gateway", provider)
    pool = create_pool(settings.database_url)
    pointers = Pointers(pool, settings.database_url)
    cache = IndexCache(settings.cache_bytes)
    texts = Texts(settings.mirrors, cache)
    shelf = VectorShelf(settings.embedding, settings.vector_cache_bytes)
    journal = Journal(pool, settings.journal)
    questions = Questions(Reader(pool, pointers, texts, cache, shelf), pool, journal)
    gateway = Gateway(pool, broker, Authenticator(pool, settings.api_token), questions)
    async with AsyncExitStack() as stack:
        await pool.open()
        stack.push_async_callback(pool.close)
        await broker.start()
        stack.push_async_callback(broker.stop)
        stack.callback(texts.close)
        stack.push_async_callback(shelf.close)
        await stack.enter_async_context(pointers.learning())
        await stack.enter_async_context(journal.writing())
        endpoint = await stack.enter_async_context(mcp_endpoint(gateway, settings.allowed_hosts))
        yield create_app(gateway, endpoint)


@asynccontextmanager
async def mcp_endpoint(gateway: Gateway, allowed_hosts: tuple[str, ...]) -> AsyncIterator[ASGIApp]:
    """Open the endpoint that serves both eras of the protocol, stateless, behind a token."""
    manager = StreamableHTTPSessionManager(
        app=create_server(gateway),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection="*" not in allowed_hosts,
            allowed_hosts=[name for host in allowed_hosts for name in (host, f"{host}:*")],
            allowed_origins=[
                f"{scheme}://{host}{port}"
                for scheme in ("http", "https")
                for host in allowed_hosts
                for port in ("", ":*")
            ],
        ),
        max_request_body_size=MOST_BODY_BYTES,
    )
    async with manager.run():
        yield BearerGate(cast("ASGIApp", manager.handle_request), gateway.authenticator)


class Readiness(msgspec.Struct, frozen=True):
    """Whether tools can answer, and by what not."""

    ready: bool
    database: bool


def create_app(gateway: Gateway, endpoint: ASGIApp) -> Litestar:
    """Describe the HTTP application of a gateway that runs alone."""

    @asgi("/mcp", copy_scope=True)
    async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
        await endpoint(scope, receive, send)

    @get("/healthz", sync_to_thread=False)
    def live() -> dict[str, str]:
        return {"status": "ok"}

    @get("/readyz")
    async def ready() -> Response[Readiness]:
        database = await is_reachable(gateway.pool)
        return Response(Readiness(database, database), status_code=200 if database else 503)

    @get("/metrics", sync_to_thread=False)
    def metrics() -> Response[bytes]:
        return Response(render(), media_type=CONTENT_TYPE)

    return Litestar([mcp, live, ready, metrics], openapi_config=None, logging_config=None)
