"""Projects, tokens, audit rows and pointers."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from brain.store.audit import record_action
from brain.store.build_session import begin_build, publish
from brain.store.errors import ProjectExistsError, ProjectNotFoundError, StoreUnavailableError
from brain.store.pointer import listen_for_indexes, read_pointer, read_pointers
from brain.store.pool import create_pool, is_reachable, snapshot, transaction
from brain.store.sources import (
    add_project,
    find_project_source,
    find_source,
    list_sources,
    remove_project,
    set_followed_branch,
)
from brain.store.tokens import TokenRow, add_token, find_token, list_tokens, revoke_token

pytestmark = pytest.mark.integration


async def test_a_project_is_added_once(pool):
    async with transaction(pool) as connection:
        first = await add_project(connection, "a", "/r", None)
        again = await add_project(connection, "a", "/r", None)
        with pytest.raises(ProjectExistsError):
            await add_project(connection, "a", "/other", None)
        listed = await list_sources(connection)

    assert first.id == again.id
    assert [each.project_id for each in listed] == ["a"]
    assert first.state == "not-built"


async def test_a_removed_project_takes_every_row_but_the_audit(pool, session, source_id, index_of):
    publish(
        session,
        begin_build(session, source_id, 1, background=False),
        index_of({"a.md": "# A\n\n[[b]]\n"}),
    )

    async with transaction(pool) as connection:
        assert await remove_project(connection, "notes") == [source_id]
        await record_action(connection, "me", "project.remove", "notes", {"why": "test"})
        with pytest.raises(ProjectNotFoundError):
            await remove_project(connection, "notes")
        with pytest.raises(ProjectNotFoundError):
            await find_project_source(connection, "notes")
        assert await find_source(connection, source_id) is None

    for table in ("source", "document", "folder", "definition", "reference", "changed"):
        assert session.execute(f"select count(*) from knowledge.{table}").fetchone() == (0,)
    audit = session.execute("select principal, action, project_id, detail from knowledge.audit")
    assert audit.fetchone() == ("me", "project.remove", "notes", {"why": "test"})


async def test_a_source_is_turned_off_and_on(pool, session, source_id, index_of):
    publish(
        session, begin_build(session, source_id, 1, background=False), index_of({"a.md": "# A\n"})
    )

    async with transaction(pool) as connection:
        source = await find_project_source(connection, "notes")
        await set_followed_branch(connection, source, enabled=False, branch="x")
        off = await find_project_source(connection, "notes")
        await set_followed_branch(connection, off, enabled=True, branch=None)
        on = await find_project_source(connection, "notes")

    assert (off.enabled, off.state, off.followed_branch) == (False, "off", "x")
    assert (on.enabled, on.state, on.followed_branch) == (True, "ready", None)
    assert on.indexed_commit == "c1"


def token(name: str, expires_at=None) -> TokenRow:
    now = datetime.now(UTC)
    return TokenRow(name, name, ["a"], ["member.read"], None, now, expires_at, None)


async def test_tokens_are_found_by_hash_until_revoked_or_expired(pool):
    past = datetime.now(UTC) - timedelta(seconds=1)
    async with transaction(pool) as connection:
        await add_token(connection, token("one"), b"1" * 32)
        await add_token(connection, token("old", past), b"2" * 32)
        found = await find_token(connection, b"1" * 32)
        assert await find_token(connection, b"2" * 32) is None
        assert await find_token(connection, b"3" * 32) is None
        assert await revoke_token(connection, "one")
        assert not await revoke_token(connection, "one")
        assert await find_token(connection, b"1" * 32) is None
        listed = await list_tokens(connection)

    assert (found.id, found.projects, found.permissions) == ("one", ["a"], ["member.read"])
    assert {each.id for each in listed} == {"one", "old"}


async def test_pointers_say_where_an_index_stands(pool, session, source_id, index_of):
    publish(
        session, begin_build(session, source_id, 1, background=False), index_of({"a.md": "# A\n"})
    )

    async with snapshot(pool) as connection:
        pointer = await read_pointer(connection, "notes")
        absent = await read_pointer(connection, "absent")
        every = await read_pointers(connection)

    assert (pointer.commit, pointer.indexed_branch, pointer.dialect) == ("c1", "main", "github")
    assert pointer.indexed_at.endswith("Z")
    assert absent is None
    assert every == [pointer]


async def test_a_published_index_is_announced(url, session, source_id, index_of):
    notices = listen_for_indexes(url)
    heard = asyncio.ensure_future(anext(notices))
    async with asyncio.timeout(10):
        while not session.execute(
            "select 1 from pg_stat_activity where query = 'listen brain_index'"
        ).fetchone():
            await asyncio.sleep(0.02)
        publish(
            session,
            begin_build(session, source_id, 1, background=False),
            index_of({"a.md": "# A\n"}),
        )
        assert await heard == source_id
    await notices.aclose()


async def test_a_snapshot_sees_one_commit_while_another_is_published(
    pool, session, source_id, index_of
):
    publish(
        session, begin_build(session, source_id, 1, background=False), index_of({"a.md": "# A\n"})
    )
    async with snapshot(pool) as connection:
        before = await read_pointer(connection, "notes")
        session.execute("update knowledge.source set wanted_seq = 2, tip = 'c2'")
        publish(
            session,
            begin_build(session, source_id, 1, background=False),
            index_of({"b.md": "# B\n"}, "c2"),
        )

        cursor = await connection.execute("select path from knowledge.document")
        assert await cursor.fetchall() == [("a.md",)]
        assert await read_pointer(connection, "notes") == before


async def test_a_snapshot_cannot_write(pool):
    with pytest.raises(Exception, match="read-only"):
        async with snapshot(pool) as connection:
            await connection.execute("delete from knowledge.project")


async def test_a_failed_transaction_leaves_nothing(pool, session):
    async def fail():
        async with transaction(pool) as connection:
            await add_project(connection, "a", "/r", None)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()

    assert session.execute("select count(*) from knowledge.project").fetchone() == (0,)


async def test_a_full_pool_is_a_typed_error_within_two_seconds(url):
    pool = create_pool(url, max_size=1)
    await pool.open()
    async with transaction(pool):
        began = asyncio.get_running_loop().time()
        with pytest.raises(StoreUnavailableError):
            async with transaction(pool):
                pass
        assert asyncio.get_running_loop().time() - began < 4
    assert await is_reachable(pool)
    await pool.close()


async def test_a_database_that_is_away_is_not_reachable():
    pool = create_pool("postgresql://nobody@127.0.0.1:1/none")
    await pool.open()
    assert not await is_reachable(pool)
    await pool.close()


async def test_a_cancelled_request_leaves_no_connection_behind(url):
    pool = create_pool(url, max_size=1)
    await pool.open()

    async def slow():
        async with transaction(pool) as connection:
            await connection.execute("select pg_sleep(30)")

    task = asyncio.create_task(slow())
    async with asyncio.timeout(5):
        while not pool.get_stats().get("requests_num"):
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await is_reachable(pool)
    await pool.close()
