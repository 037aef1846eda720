"""The sync-watcher's wiring."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from faststream.nats import NatsMessage
from opentelemetry.trace import TracerProvider

from brain.events.broker import create_broker
from brain.events.look import LookReply
from brain.events.stream import ensure_topology
from brain.events.subjects import LOOK_SUBJECTS, source_of
from brain.store.pool import create_pool
from brain.sync_watcher.settings import Settings
from brain.sync_watcher.watch import Watcher


@asynccontextmanager
async def running(settings: Settings, provider: TracerProvider | None) -> AsyncIterator[None]:
    """Run the watcher for as long as the context is open."""
    broker = create_broker(settings.nats_url, "brain-sync-watcher", provider)
    pool = create_pool(settings.database_url, max_size=4)
    watcher = Watcher(settings, broker, pool)

    @broker.subscriber(LOOK_SUBJECTS, queue="sync-watcher")
    async def answer_look(message: NatsMessage) -> LookReply:
        return await watcher.on_look_request(source_of(message.raw_message.subject))

    await pool.open()
    connection = await broker.connect()
    await ensure_topology(connection.jetstream(), ack_wait_s=settings.ack_wait_s)
    await broker.start()
    try:
        async with watcher.watching():
            yield
    finally:
        await broker.stop()
        await pool.close()
