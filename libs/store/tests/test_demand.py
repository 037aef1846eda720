"""Demand rows, looks, and how builds end."""

import pytest

from brain.store.build_session import begin_build, build_session, try_build_lock
from brain.store.builds import (
    Retry,
    record_death,
    record_final_failure,
    record_outage,
    record_poison,
)
from brain.store.demand import Tip, list_owed, record_tip, want_build, want_newer_builds
from brain.store.pool import transaction
from brain.store.sources import find_source

pytestmark = pytest.mark.integration


@pytest.fixture
def run(pool):
    """Run one function of the store in a transaction of its own."""

    async def run(function, *values, **named):
        async with transaction(pool) as connection:
            return await function(connection, *values, **named)

    return run


async def test_a_moved_tip_is_one_demand(run, source_id):
    assert await run(record_tip, source_id, Tip("main", "c2"))
    assert not await run(record_tip, source_id, Tip("main", "c2"))

    source = await run(find_source, source_id)
    assert (source.tip, source.wanted_seq, source.state) == ("c2", 2, "queued")


async def test_an_unreadable_remote_keeps_tip_and_demand(run, source_id):
    assert not await run(record_tip, source_id, Tip("main", "", "branch-gone", "It is gone."))

    source = await run(find_source, source_id)
    assert (source.tip, source.wanted_seq) == ("c1", 1)
    assert (source.reason, source.remote_error) == ("branch-gone", "It is gone.")


async def test_a_source_that_is_off_takes_no_demand_from_looks(run, session, source_id):
    session.execute("update knowledge.source set enabled = false, state = 'off'")

    assert not await run(record_tip, source_id, Tip("main", "c2"))
    assert not await run(record_tip, source_id, Tip("main", "", "branch-gone", "Gone."))
    assert (await run(find_source, source_id)).state == "off"


async def test_demands_are_numbered(run, source_id):
    assert await run(want_build, source_id, whole=False) == 2
    assert await run(want_build, source_id, whole=True) == 3
    assert await run(want_build, source_id + 99, whole=True) == 0
    assert (await run(find_source, source_id)).wanted_whole_seq == 3


async def test_what_is_owed_and_not_being_built_is_listed(run, url, source_id):
    assert [each.id for each in await run(list_owed)] == [source_id]

    with build_session(url) as building:
        try_build_lock(building, source_id)
        assert await run(list_owed) == []

    assert [each.project_id for each in await run(list_owed)] == ["notes"]


async def test_a_retry_is_owed_when_its_time_has_come(run, session, source_id):
    fence = begin_build(session, source_id, 1, background=False).fence
    assert await run(record_outage, source_id, fence=fence, error="x", retry=Retry(60))
    assert await run(list_owed) == []

    session.execute("update knowledge.source set retry_at = now()")

    assert [each.id for each in await run(list_owed)] == [source_id]


async def test_indexes_of_an_older_builder_are_owed_once(run, session, source_id):
    session.execute(
        "update knowledge.source set met_seq = 1, indexed_commit = 'c1', builder_version = 1"
    )

    assert await run(want_newer_builds, 2) == 1
    assert await run(want_newer_builds, 2) == 0
    assert (await run(find_source, source_id)).wanted_whole_seq == 2


async def test_deaths_are_counted_by_commit(run, session, source_id):
    fence = begin_build(session, source_id, 1, background=False).fence
    death = {"fence": fence, "error": "x"}

    assert await run(record_death, source_id, commit="c1", **death) == 1
    assert await run(record_death, source_id, commit="c1", **death) == 2
    assert await run(record_death, source_id, commit="c2", **death) == 1
    assert await run(record_death, source_id, commit="c2", fence=fence + 1, error="x") == 0


async def test_a_final_failure_says_whether_more_is_owed(run, session, source_id):
    fence = begin_build(session, source_id, 1, background=False).fence
    failure = {"fence": fence, "commit": "c1", "error": "No."}

    assert not await run(record_final_failure, source_id, met_seq=1, **failure)
    assert (await run(find_source, source_id)).state == "failed"
    await run(want_build, source_id, whole=False)
    assert await run(record_final_failure, source_id, met_seq=1, **failure)
    assert (await run(find_source, source_id)).state == "queued"


async def test_endings_of_an_overtaken_build_change_nothing(run, session, source_id):
    old = begin_build(session, source_id, 1, background=False).fence
    begin_build(session, source_id, 1, background=False)

    await run(record_final_failure, source_id, fence=old, commit="c1", met_seq=1, error="No.")
    await run(record_outage, source_id, fence=old, error="x", retry=Retry(1))

    source = await run(find_source, source_id)
    assert (source.state, source.error, source.met_seq) == ("indexing", "", 0)


@pytest.mark.parametrize("ending", ["death", "failure", "outage", "poison"])
async def test_no_ending_turns_a_source_on(run, session, source_id, ending):
    fence = begin_build(session, source_id, 1, background=False).fence
    session.execute("update knowledge.source set enabled = false, state = 'off'")

    if ending == "death":
        await run(record_death, source_id, fence=fence, commit="c1", error="x")
    elif ending == "failure":
        await run(record_final_failure, source_id, fence=fence, commit="c1", met_seq=1, error="x")
    elif ending == "outage":
        await run(record_outage, source_id, fence=fence, error="x", retry=Retry(1))
    else:
        await run(record_poison, source_id, "x")

    assert (await run(find_source, source_id)).state == "off"


async def test_a_late_dead_letter_does_not_fail_what_was_built_meanwhile(run, session, source_id):
    session.execute("update knowledge.source set met_seq = wanted_seq, state = 'ready'")

    await run(record_poison, source_id, "x")

    assert (await run(find_source, source_id)).state == "ready"


async def test_a_dead_letter_fails_what_is_owed(run, source_id):
    await run(record_poison, source_id, "It died.")

    source = await run(find_source, source_id)
    assert (source.state, source.error, source.met_seq) == ("failed", "It died.", 1)
