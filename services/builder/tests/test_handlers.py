"""The parent's side: how builds end when they do not publish, and what becomes of messages."""

import asyncio
import contextlib
import signal

import nats
import pytest

from brain.builder.app import running
from brain.builder.attempt import Attempt
from brain.builder.handlers import Builder
from brain.builder.job import Died, Interrupted, Published, Refused, Started
from brain.builder.settings import Settings
from brain.events.broker import create_broker, wake_builders
from brain.events.stream import DEAD_STREAM, WORK_STREAM, ensure_topology
from brain.events.subjects import lane_consumer, lane_of, work_subject
from brain.store.pool import create_pool
from brain.testkit.nats import nats_server
from brain.testkit.service_process import service_process
from brain.testkit.waiting import eventually

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]

SLOW = {
    f"{number}.md": "# A\n\n" + "A [link](b.md) and *some* words in **order**.\n\n" * 4_000
    for number in range(4)
}


@pytest.fixture(scope="module")
def own_nats():
    """A server whose stream no other test fills."""
    with nats_server() as url:
        yield url


@pytest.fixture
def settings(place, own_nats):
    return Settings(
        place.rows.url, own_nats, place.mirrors, slots=1, ack_wait_s=1.0, heartbeat_s=0.3
    )


@contextlib.asynccontextmanager
async def builder_of(settings):
    broker = create_broker(settings.nats_url, "test", None)
    pool = create_pool(settings.database_url)
    builder = Builder(settings, broker, pool)
    await pool.open()
    connection = await broker.connect()
    await ensure_topology(connection.jetstream(), ack_wait_s=settings.ack_wait_s)
    await broker.start()
    try:
        yield builder
    finally:
        await builder.close()
        await broker.stop()
        await pool.close()


@contextlib.asynccontextmanager
async def stream_of(url):
    connection = await nats.connect(url)
    try:
        yield connection.jetstream()
    finally:
        await connection.close()


async def until(look, within_s=20.0):
    async with asyncio.timeout(within_s):
        while not await asyncio.to_thread(look):
            await asyncio.sleep(0.02)


async def build_and_kill(builder, place):
    task = asyncio.create_task(builder.build(place.id, "fresh"))
    fence = place.source.fence
    await until(lambda: place.source.fence > fence)
    builder._slots["fresh"]._all[0]._process.kill()
    return await task


async def test_five_deaths_at_one_commit_are_final_and_the_last_good_index_stays(place, settings):
    good = place.commit({"a.md": "# Good\n"})
    place.build()
    bad = place.commit(SLOW)

    async with builder_of(settings) as builder:
        outcomes = []
        for attempt in range(1, 6):
            outcomes.append(await build_and_kill(builder, place))
            assert place.source.attempts == attempt

    assert all(isinstance(outcome, Died) for outcome in outcomes)
    assert (place.source.state, place.source.reason) == ("failed", "build")
    assert "signal 9" in place.source.error
    assert (place.source.indexed_commit, place.source.attempted_commit) == (good, bad)
    assert place.source.met_seq == place.source.wanted_seq
    assert place.rows.all("select path from knowledge.document") == [("a.md",)]


async def test_a_new_commit_starts_counting_deaths_again(place, settings):
    place.commit(SLOW)
    async with builder_of(settings) as builder:
        await build_and_kill(builder, place)
        await build_and_kill(builder, place)
        place.commit({**SLOW, "z.md": "# Z\n"})
        await build_and_kill(builder, place)

    assert place.source.attempts == 1
    assert place.source.state == "queued"


async def test_a_source_turned_off_stays_off_when_its_build_dies(place, settings):
    place.commit(SLOW)
    async with builder_of(settings) as builder:
        task = asyncio.create_task(builder.build(place.id, "fresh"))
        await until(lambda: place.source.fence > 0)
        place.rows.run("update knowledge.source set enabled = false, state = 'off'")
        builder._slots["fresh"]._all[0]._process.kill()
        await task

    assert place.source.state == "off"


async def test_objects_that_are_missing_are_waited_for_and_never_final(place, settings):
    place.rows.run("update knowledge.source set tip = %s, wanted_seq = 1", "1" * 40)
    async with builder_of(settings) as builder:
        outcome = await builder.build(place.id, "fresh")

    assert isinstance(outcome, Interrupted)
    assert (place.source.state, place.source.reason) == ("queued", "retrying")
    assert place.source.retry_at is not None
    assert place.source.met_seq < place.source.wanted_seq


async def test_demand_that_came_during_a_build_wakes_a_builder_again(place, settings):
    place.commit(SLOW)
    async with running(settings, None), stream_of(settings.nats_url) as js:
        await js.publish(work_subject("fresh", "notes", place.id), b"{}", stream=WORK_STREAM)
        await until(lambda: place.source.state == "indexing")
        place.want()
        await until(lambda: place.source.met_seq == 2)

    assert place.source.state == "ready"


async def test_demand_that_came_during_a_failing_build_wakes_a_builder_again(place, settings):
    place.commit({"a.md": "# A\n"})
    async with builder_of(settings) as builder, stream_of(settings.nats_url) as js:
        await builder.build(place.id, "fresh")
        before = (await js.stream_info(WORK_STREAM)).state.messages
        place.want()
        attempt = _attempt(builder, place, wanted_seq=1)
        await builder._outcomes.record(attempt, Refused("No."))

        assert (await js.stream_info(WORK_STREAM)).state.messages == before + 1
        assert place.source.state == "queued"
        await js.purge_stream(WORK_STREAM)


def _attempt(builder, place, wanted_seq):

    attempt = Attempt(place.id, builder._broker)
    source = place.source
    attempt.started = Started("notes", source.fence, wanted_seq, source.tip)
    return attempt


async def test_a_wake_up_that_waits_already_is_enough(place, settings):
    async with builder_of(settings) as builder, stream_of(settings.nats_url) as js:
        for _ in range(5):
            await wake_builders(builder._broker, "notes", place.id)

        assert (await js.stream_info(WORK_STREAM)).state.messages == 2
        await js.purge_stream(WORK_STREAM)


async def test_a_message_that_outlives_five_deliveries_is_kept_aside(place, settings):
    place.commit({"a.md": "# A\n"})
    subject = work_subject("fresh", "notes", place.id)
    async with stream_of(settings.nats_url) as js:
        await ensure_topology(js, ack_wait_s=0.4)
        await js.publish(subject, b"{}", stream=WORK_STREAM)
        lane = await js.pull_subscribe_bind(
            durable=lane_consumer("fresh", lane_of("notes")), stream=WORK_STREAM
        )
        for _ in range(5):
            await lane.fetch(1, timeout=5)
        await lane.unsubscribe()
        async with running(settings, None):
            await until(lambda: place.source.state == "failed")
            dead = await js.get_last_msg(DEAD_STREAM, f"brain.v1.dead.{place.id}")
            async with asyncio.timeout(10):
                while (await js.stream_info(WORK_STREAM)).state.messages:
                    await asyncio.sleep(0.02)
            failed = place.source
            place.want()
            await js.publish(subject, b"{}", stream=WORK_STREAM)
            await until(lambda: place.source.state == "ready")

    assert dead.data == b"{}"
    assert failed.reason == "build"
    assert failed.met_seq == failed.wanted_seq


def test_a_builder_that_stops_hands_its_build_over_without_counting_it(place, settings, folder):
    place.commit(SLOW)
    environment = {
        "BRAIN_DATABASE_URL": settings.database_url,
        "BRAIN_NATS_URL": settings.nats_url,
        "BRAIN_MIRRORS": str(settings.mirrors),
        "BRAIN_BUILD_SLOTS": "1",
    }
    argv = ("-m", "brain.builder")
    with service_process(argv, environment, folder / "first.log") as first:
        asyncio.run(_wake(settings, place))
        eventually(lambda: place.source.state == "indexing", within_s=20)
        with service_process(argv, environment, folder / "second.log"):
            took_s = first.stop()
            stopped = place.source
            eventually(lambda: place.source.state == "ready", within_s=20)

    assert took_s < 15
    assert stopped.attempts == 0
    assert place.source.fence == 2
    assert first.log_lines() is not None


async def _wake(settings, place):
    async with stream_of(settings.nats_url) as js:
        await ensure_topology(js)
        await js.publish(work_subject("fresh", "notes", place.id), b"{}", stream=WORK_STREAM)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_child_killed_while_it_idles_is_replaced(place, settings, number):
    place.commit({"a.md": "# A\n"})
    async with builder_of(settings) as builder:
        await builder.build(place.id, "fresh")
        process = builder._slots["fresh"]._all[0]._process
        process.kill() if number == signal.SIGKILL else process.terminate()
        await asyncio.to_thread(process.join, 5)
        place.want()

        assert isinstance(await builder.build(place.id, "fresh"), Published)
