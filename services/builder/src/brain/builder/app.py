"""The builder's wiring."""

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, NatsMessage, PullSub
from nats.js.api import ConsumerConfig
from opentelemetry.trace import TracerProvider

from brain.builder.dead_letters import Advisory, DeadLetters
from brain.builder.handlers import Builder
from brain.builder.settings import Settings
from brain.events.broker import create_broker
from brain.events.stream import ADVISORY_STREAM, WORK_CLASSES, WORK_STREAM, ensure_topology
from brain.events.subjects import LANE_COUNT, WorkClass, lane_consumer, lane_subjects
from brain.store.errors import StoreUnavailableError
from brain.store.pool import create_pool


@asynccontextmanager
async def running(settings: Settings, provider: TracerProvider | None) -> AsyncIterator[None]:
    """Run a builder for as long as the context is open."""
    broker = create_broker(settings.nats_url, "brain-builder", provider)
    pool = create_pool(settings.database_url, max_size=4)
    builder = Builder(settings, broker, pool)
    subscribe_lanes(broker, builder, settings.pull_wait_s)
    subscribe_advisories(broker, DeadLetters(broker, pool), settings.pull_wait_s)
    await pool.open()
    connection = await broker.connect()
    await ensure_topology(connection.jetstream(), ack_wait_s=settings.ack_wait_s)
    await settled(builder)
    await broker.start()
    try:
        yield
    finally:
        await builder.close()
        await broker.stop()
        await pool.close()


async def settled(builder: Builder) -> None:
    """Settle the model, unless the database is away: then the next build of each source does."""
    with contextlib.suppress(StoreUnavailableError):
        await builder.settle_model()


def subscribe_lanes(broker: NatsBroker, builder: Builder, pull_wait_s: float) -> None:
    """Consume every lane of every class: one message at a time a lane, shared by all builders."""
    for work_class in WORK_CLASSES:
        for lane in range(LANE_COUNT):
            _subscribe_lane(broker, builder, (work_class, lane), pull_wait_s)


def _subscribe_lane(
    broker: NatsBroker, builder: Builder, place: tuple[WorkClass, int], pull_wait_s: float
) -> None:
    work_class, lane = place

    async def consume(message: NatsMessage) -> None:
        await builder.on_branch_moved(message, work_class)

    broker.subscriber(
        lane_subjects(work_class, lane),
        stream=JStream(WORK_STREAM, declare=False),
        durable=lane_consumer(work_class, lane),
        pull_sub=PullSub(batch_size=1, timeout=pull_wait_s),
        ack_policy=AckPolicy.MANUAL,
    )(consume)


def subscribe_advisories(broker: NatsBroker, dead_letters: DeadLetters, pull_wait_s: float) -> None:
    """Consume the server's notices of messages it gave up."""
    broker.subscriber(
        f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{WORK_STREAM}.*",
        stream=JStream(ADVISORY_STREAM, declare=False),
        durable="dead-letters",
        pull_sub=PullSub(batch_size=1, timeout=pull_wait_s),
        config=ConsumerConfig(ack_wait=30.0),
        ack_policy=AckPolicy.NACK_ON_ERROR,
    )(partial(_handle, dead_letters))


async def _handle(dead_letters: DeadLetters, advisory: Advisory) -> None:
    await dead_letters.on_last_delivery(advisory)
