"""The read-api's wiring."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from faststream.nats import NatsBroker, NatsMessage
from litestar import Litestar
from litestar.di import Provide
from litestar.plugins import InitPlugin
from opentelemetry.trace import TracerProvider

from brain.events.broker import create_broker
from brain.events.subjects import LIVE_SUBJECTS, source_of
from brain.query.authenticator import Authenticator
from brain.query.index_cache import IndexCache
from brain.query.journal import Journal
from brain.query.pointers import Pointers
from brain.query.questions import Questions
from brain.query.reader import Reader
from brain.query.texts import Texts
from brain.query.vector_shelf import VectorShelf
from brain.read_api.authentication import guard
from brain.read_api.document_paths import DocumentPaths
from brain.read_api.documentation import documentation, documentation_assets
from brain.read_api.live import LiveEvents
from brain.read_api.problems import answer_problem
from brain.read_api.requests import EdgeGuard
from brain.read_api.routes import (
    bundles,
    context,
    health,
    history,
    projects,
    reads,
    search,
    stats,
    streams,
    tokens,
)
from brain.read_api.settings import LOOPBACK, Settings
from brain.read_api.state import Api
from brain.read_api.timing import RequestTimer
from brain.store.pool import create_pool

ROUTES = (
    reads.portal_tree,
    reads.portal_node,
    reads.portal_lookup,
    reads.portal_grep,
    reads.member_tree,
    reads.member_read,
    reads.member_lookup,
    reads.member_grep,
    history.portal_changes,
    history.portal_cite,
    history.portal_broken,
    history.portal_backlinks,
    history.member_changes,
    history.member_cite,
    history.member_broken,
    history.member_backlinks,
    search.portal_search,
    bundles.portal_bundle,
    bundles.portal_bundle_again,
    bundles.portal_bundle_replay,
    bundles.plain_bundle_route,
    context.plain_search,
    context.plain_document,
    context.plain_scopes,
    context.plain_usage,
    context.portal_scopes,
    stats.portal_stats,
    stats.reset_stats,
    stats.portal_gaps,
    stats.plain_stats,
    stats.plain_gaps,
    projects.list_projects,
    projects.create_project,
    projects.delete_project,
    projects.show_brain,
    projects.switch_brain,
    projects.rebuild,
    projects.build,
    streams.stream_outline,
    streams.stream_dump,
    streams.stream_events,
    tokens.show_tokens,
    tokens.create_token,
    tokens.delete_token,
    health.live,
    health.health,
    health.ready,
    health.metrics,
)


@asynccontextmanager
async def running(settings: Settings, provider: TracerProvider | None) -> AsyncIterator[Litestar]:
    """Run the read-api for as long as the context is open; serving it is the caller's."""
    broker = create_broker(settings.nats_url, "brain-read-api", provider)
    pool = create_pool(settings.database_url)
    pointers = Pointers(pool, settings.database_url)
    cache = IndexCache(settings.cache_bytes)
    texts = Texts(settings.mirrors, cache)
    shelf = VectorShelf(settings.embedding, settings.vector_cache_bytes)
    live = LiveEvents()
    reader = Reader(pool, pointers, texts, cache, shelf)
    journal = Journal(pool, settings.journal)
    api = Api(
        broker,
        Authenticator(pool, settings.api_token),
        live,
        Questions(reader, pool, journal),
        metrics_need_token=settings.metrics_need_token,
    )
    hear_live_events(broker, live)
    async with AsyncExitStack() as stack:
        await pool.open()
        stack.push_async_callback(pool.close)
        await broker.start()
        stack.push_async_callback(broker.stop)
        stack.callback(texts.close)
        stack.push_async_callback(shelf.close)
        await stack.enter_async_context(pointers.learning())
        await stack.enter_async_context(journal.writing())
        yield create_app(api, settings, provider)


def hear_live_events(broker: NatsBroker, live: LiveEvents) -> None:
    """Subscribe once to every source's live events."""

    @broker.subscriber(LIVE_SUBJECTS)
    async def hear(message: NatsMessage) -> None:
        live.hand_on(source_of(message.raw_message.subject), message.body)


def create_app(api: Api, settings: Settings, provider: TracerProvider | None) -> Litestar:
    """Describe the HTTP application: routes, guard, problems, documentation."""

    def provide_api() -> Api:
        return api

    app = Litestar(
        route_handlers=[*ROUTES, documentation_assets()],
        dependencies={"api": Provide(provide_api, sync_to_thread=False)},
        guards=[guard],
        exception_handlers={Exception: answer_problem},
        middleware=[RequestTimer],
        plugins=[traced(provider)] if provider else [],
        openapi_config=documentation(open_to_all=settings.host in LOOPBACK),
        logging_config=None,
        debug=False,
    )
    app.state.authenticator = api.authenticator
    app.state.api = api
    app.asgi_handler = EdgeGuard(DocumentPaths(app.asgi_handler), settings.allowed_hosts)
    return app


def traced(provider: TracerProvider) -> InitPlugin:
    """Give every request a span."""
    # Imported here: a process that exports nothing saves the memory of it.
    from litestar.plugins.opentelemetry import (  # noqa: PLC0415
        OpenTelemetryConfig,
        OpenTelemetryPlugin,
    )

    return OpenTelemetryPlugin(OpenTelemetryConfig(tracer_provider=provider))
