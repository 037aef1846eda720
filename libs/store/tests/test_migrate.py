"""Migrations: together, one at a time, whole or not at all."""

import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from brain.store import migrate as migrations
from brain.store.errors import SchemaTooNewError, StoreUnavailableError
from brain.store.migrate import migrate, pending_files
from brain.testkit.schema import dump_schema, schema_file
from brain.testkit.waiting import eventually

pytestmark = pytest.mark.integration


@pytest.fixture
def empty(postgres):
    with postgres.fresh_database() as url:
        yield url


def versions(url: str) -> list[int]:
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute("select version from knowledge.schema_version order by 1")
        return [row[0] for row in rows.fetchall()]


def test_all_migrations_give_the_schema_file(empty):
    migrate(empty)

    assert dump_schema(empty) == schema_file().read_text()


def test_migrating_again_applies_nothing(empty):
    numbers = [number for number, _ in pending_files()]

    assert migrate(empty) == numbers
    assert migrate(empty) == []
    assert numbers == list(range(1, len(numbers) + 1))


def test_concurrent_callers_apply_each_migration_once(empty):
    with ThreadPoolExecutor(6) as threads:
        applied = list(threads.map(migrate, [empty] * 6))

    assert sorted(number for each in applied for number in each) == versions(empty)


def test_a_killed_migration_leaves_whole_ones_only(empty, monkeypatch):
    first = (1, b"create table knowledge.one (a int)")
    second = (2, b"create table knowledge.two (a int); select pg_sleep(60)")
    monkeypatch.setattr(migrations, "pending_files", lambda: [first, second])
    failed = []

    def run():
        try:
            migrate(empty)
        except StoreUnavailableError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    with psycopg.connect(empty, autocommit=True) as connection:
        eventually(
            lambda: connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and query like '%pg_sleep%'"
                " and wait_event = 'PgSleep'"
            ).fetchone()
        )
        thread.join(10)
        tables = connection.execute(
            "select table_name from information_schema.tables"
            " where table_schema = 'knowledge' order by 1"
        ).fetchall()

    assert len(failed) == 1
    assert tables == [("one",), ("schema_version",)]
    assert versions(empty) == [1]
    monkeypatch.setattr(migrations, "pending_files", lambda: [first, (2, b"select 1")])
    assert migrate(empty) == [2]


def test_a_schema_of_a_newer_release_is_refused_with_the_fix(empty):
    migrate(empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute(
            "insert into knowledge.schema_version (version, minimum_code) values (999, 99)"
        )

    with pytest.raises(SchemaTooNewError, match="upgrade Brain"):
        migrate(empty)


def test_a_database_that_is_away_is_a_typed_error():
    with pytest.raises(StoreUnavailableError):
        migrate("postgresql://nobody@127.0.0.1:1/none")
