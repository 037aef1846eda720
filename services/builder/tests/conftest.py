"""Databases with the schema, sources with a remote, and builders to run against them."""

import asyncio
from functools import partial

import psycopg
import pytest

from brain.store.migrate import migrate
from brain.testkit.scratch_folder import scratch_folder


def prepare(url: str) -> None:
    migrate(url)


@pytest.fixture
def migrated_url(postgres):
    """Create a database with the schema for one test."""
    with postgres.fresh_database(prepare) as url:
        yield url


@pytest.fixture
def folder():
    with scratch_folder() as path:
        yield path


class Rows:
    """Reads and writes rows directly, as an observer beside the services."""

    def __init__(self, url: str):
        self.url = url

    def all(self, statement: str, *values):
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(statement, values).fetchall()

    def one(self, statement: str, *values):
        rows = self.all(statement, *values)
        return rows[0] if rows else None

    def run(self, statement: str, *values) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement, values)

    def source(self, project_id: str):
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.cursor(row_factory=psycopg.rows.namedtuple_row)
            return cursor.execute(
                "select * from knowledge.source where project_id = %s", (project_id,)
            ).fetchone()

    def add_project(self, project_id: str, remote) -> int:
        self.run(
            "insert into knowledge.project (id, remote) values (%s, %s)", project_id, str(remote)
        )
        return self.one(
            "insert into knowledge.source (project_id) values (%s) returning id", project_id
        )[0]


@pytest.fixture
def rows(migrated_url):
    return Rows(migrated_url)


@pytest.fixture
def in_thread():
    """Run a blocking call beside the loop."""

    async def run(work, *values, **named):
        return await asyncio.to_thread(partial(work, *values, **named))

    return run
