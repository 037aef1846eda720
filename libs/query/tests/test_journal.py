"""The journal against a real database."""

from datetime import UTC, datetime, timedelta

import msgspec
import psycopg
import pytest

from brain.query.journal import Journal, JournalSettings, Record, journal_settings
from brain.store.bundles import BundleRow, UsageEvent, find_bundle, keep_bundle, record_usage
from brain.store.migrate import migrate
from brain.store.pool import create_pool, transaction
from brain.store.query_log import LoggedQuery, list_gaps
from brain.store.served import Served, list_served

pytestmark = pytest.mark.integration

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def prepare(url: str) -> None:
    migrate(url)


@pytest.fixture
def url(postgres):
    with postgres.fresh_database(prepare) as fresh:
        yield fresh


@pytest.fixture
def session(url):
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def source_id(session):
    session.execute("insert into knowledge.project (id, remote) values ('notes', '/r')")
    return session.execute(
        "insert into knowledge.source (project_id, indexed_commit, builder_version)"
        " values ('notes', 'c1', 1) returning id"
    ).fetchone()[0]


@pytest.fixture
async def pool(url):
    opened = create_pool(url)
    await opened.open()
    yield opened
    await opened.close()


def record(source_id, query="what is drift", hit="", **fields):
    logged = {"results": 3, "confidence": 0.9, "bundle_id": "", "at": NOW} | fields
    return Record(
        LoggedQuery(
            source_id=source_id,
            surface="mcp",
            name="compile_bundle",
            query=query,
            scopes=("domain",),
            mode="hybrid",
            top_score=1.0,
            tokens=100,
            client="test",
            **logged,
        ),
        Served(source_id, "compile_bundle", requests=1, tokens=100, cache_hits=1),
        hit,
    )


def bundle(source_id, **fields):
    given = {"commit": "c1", "text": "the text", "day": datetime.now(UTC).date()} | fields
    return BundleRow(
        source_id=source_id,
        id="0" * 16,
        task="task",
        scopes=["domain"],
        max_tokens=100,
        paths=[],
        builder_version=1,
        model="",
        vector_epoch=0,
        manifest=b"",
        sha256=b"x",
        **given,
    )


async def test_records_are_logged_and_counted(pool, session, source_id):
    journal = Journal(pool, JournalSettings())
    async with transaction(pool) as connection:
        await keep_bundle(connection, bundle(source_id))

    for _ in range(3):
        journal.note(record(source_id, hit="0" * 16))
    await journal.write()

    async with transaction(pool) as connection:
        served, since = await list_served(connection, source_id)
    assert (served[0].requests, served[0].tokens, served[0].cache_hits) == (3, 300, 3)
    assert since is not None
    assert session.execute("select count(*) from knowledge.query_log").fetchone() == (3,)
    assert session.execute("select hits from knowledge.bundle").fetchone() == (3,)


async def test_words_are_not_kept_when_so_set(pool, session, source_id):
    journal = Journal(pool, JournalSettings(keeps_words=False))

    journal.note(record(source_id))
    await journal.write()

    assert session.execute("select query from knowledge.query_log").fetchall() == [(None,)]


async def test_nothing_is_logged_when_so_set_and_counters_go_on(pool, session, source_id):
    journal = Journal(pool, JournalSettings(logs_queries=False))

    journal.note(record(source_id))
    await journal.write()

    assert session.execute("select count(*) from knowledge.query_log").fetchone() == (0,)
    assert session.execute("select requests from knowledge.served").fetchone() == (1,)


async def test_too_many_records_are_dropped_and_nobody_waits(pool, session, source_id):
    journal = Journal(pool, JournalSettings())

    for _ in range(2_500):
        journal.note(record(source_id))
    await journal.write()

    assert session.execute("select count(*) from knowledge.query_log").fetchone() == (2_000,)


async def test_a_record_the_store_cannot_take_is_dropped_alone(pool, session, source_id):
    journal = Journal(pool, JournalSettings())

    for query in ("one", "a\0b", "two", "three"):
        journal.note(record(source_id, query=query))
    await journal.write()

    kept = session.execute("select query from knowledge.query_log order by query").fetchall()
    assert kept == [("one",), ("three",), ("two",)]
    assert session.execute("select requests from knowledge.served").fetchone() == (3,)


async def test_a_bundle_made_while_the_store_was_away_is_kept_later(pool, session, source_id):
    journal = Journal(pool, JournalSettings())
    owed = bundle(source_id, text=None)

    journal.note(msgspec.structs.replace(record(source_id), owed=owed))
    await journal.write()

    async with transaction(pool) as connection:
        assert await find_bundle(connection, source_id, owed.id) == owed


async def test_records_of_a_source_that_is_gone_are_left_out(pool, session, source_id):
    journal = Journal(pool, JournalSettings())

    journal.note(record(source_id))
    journal.note(record(source_id + 1))
    await journal.write()

    assert session.execute("select source_id from knowledge.query_log").fetchall() == [(source_id,)]


async def test_what_waits_is_written_at_the_end(pool, session, source_id):
    journal = Journal(pool, JournalSettings())

    async with journal.writing():
        journal.note(record(source_id))

    assert session.execute("select count(*) from knowledge.query_log").fetchone() == (1,)


@pytest.mark.parametrize(("days", "left"), [(30, 1), (0, 2), (400, 2)])
async def test_old_questions_are_removed_by_retention(pool, session, source_id, days, left):
    journal = Journal(pool, JournalSettings(retention_days=days))
    today = datetime.now(UTC)
    journal.note(record(source_id, at=today - timedelta(days=31)))
    journal.note(record(source_id, at=today))
    await journal.write()

    await journal.prune()

    assert session.execute("select count(*) from knowledge.query_log").fetchone() == (left,)


async def test_texts_that_nobody_can_ask_for_are_pruned_and_come_back(pool, session, source_id):
    journal = Journal(pool, JournalSettings())
    old = bundle(source_id, day=datetime.now(UTC).date() - timedelta(days=3))
    async with transaction(pool) as connection:
        await keep_bundle(connection, old)

    await journal.prune()

    async with transaction(pool) as connection:
        pruned = await find_bundle(connection, source_id, old.id)
        await keep_bundle(connection, old)
        again = await find_bundle(connection, source_id, old.id)
    assert pruned is not None
    assert (pruned.text, pruned.task, pruned.commit) == (None, "task", "c1")
    assert again is not None
    assert again.text == "the text"


async def test_the_row_that_is_there_first_wins(pool, source_id):
    async with transaction(pool) as connection:
        await keep_bundle(connection, bundle(source_id))
        await keep_bundle(connection, bundle(source_id, text="another"))
        stored = await find_bundle(connection, source_id, "0" * 16)

    assert stored is not None
    assert stored.text == "the text"


async def test_gaps_are_grouped_and_the_most_asked_come_first(pool, source_id):
    journal = Journal(pool, JournalSettings())
    for minute, fields in enumerate(
        [
            {"query": "nothing", "results": 0},
            {"query": "unsure", "confidence": 0.2},
            {"query": "unsure", "confidence": 0.1},
            {"query": "useless", "bundle_id": "b1"},
            {"query": "useful", "bundle_id": "b2", "confidence": 0.9},
            {"query": "fine"},
        ]
    ):
        journal.note(record(source_id, at=NOW + timedelta(minutes=minute), **fields))
    await journal.write()

    async with transaction(pool) as connection:
        events = [UsageEvent("x", useful=False), UsageEvent("y", useful=False)]
        await record_usage(connection, source_id, "b1", events, "c")
        await record_usage(connection, source_id, "b2", [UsageEvent("x", useful=True)], "c")
        gaps = await list_gaps(connection, source_id, likely_from=0.5, limit=10)

    assert [(gap.query, gap.reason, gap.count) for gap in gaps] == [
        ("unsure", "low_confidence", 2),
        ("useless", "no_useful_sections", 1),
        ("nothing", "no_results", 1),
    ]


async def test_everything_goes_with_the_project(pool, session, source_id):
    journal = Journal(pool, JournalSettings())
    async with transaction(pool) as connection:
        await keep_bundle(connection, bundle(source_id))
        await record_usage(connection, source_id, "b", [UsageEvent("x", useful=True)], "c")
    journal.note(record(source_id))
    await journal.write()

    session.execute("delete from knowledge.project")

    for table in ("bundle", "usage_event", "query_log", "served"):
        assert session.execute(f"select count(*) from knowledge.{table}").fetchone() == (0,)


def test_settings_are_read_from_the_environment():
    environment = {"BRAIN_QUERY_LOG_TEXT": "false", "BRAIN_QUERY_LOG_DAYS": "0"}

    assert journal_settings({}) == JournalSettings()
    assert journal_settings(environment) == JournalSettings(keeps_words=False, retention_days=0)
    assert journal_settings({"BRAIN_QUERY_LOG_TEXT": "False"}).keeps_words is False
    assert journal_settings({"BRAIN_QUERY_LOG": "OFF"}).logs_queries is False


@pytest.mark.parametrize("days", ["-1", "x", "1e3", "", "36501", "9" * 5_000])
def test_days_that_make_no_sense_are_refused_by_name(days):
    with pytest.raises(ValueError, match="BRAIN_QUERY_LOG_DAYS must be 0 to 36,500"):
        journal_settings({"BRAIN_QUERY_LOG_DAYS": days})


async def test_records_that_the_store_cannot_take_do_not_stop_the_others(pool, source_id, session):
    journal = Journal(pool, JournalSettings())
    journal.note(record(source_id, query="half\x00a word"))
    await journal.write()

    journal.note(record(source_id, query="whole"))
    await journal.write()

    logged = session.execute("select query from knowledge.query_log").fetchall()
    assert logged == [("whole",)]
