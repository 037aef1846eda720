"""Databases with the schema, sources with a remote, and builders to run against them."""

from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import psycopg
import pytest

from brain.builder.build import run_build
from brain.builder.job import Job, Published, Started
from brain.gitmirror.fetch import fetch
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.remote import parse_remote
from brain.gitmirror.remote_access import RemoteAccess
from brain.query.index_cache import IndexCache
from brain.query.pointers import Pointers
from brain.query.reader import Reader
from brain.query.texts import Texts
from brain.store.migrate import migrate
from brain.store.pool import create_pool
from brain.testkit.repository import TestRepository
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


INDEX_TABLES = ("document", "folder", "definition", "reference")


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


class Place:
    """A project with a repository, a mirror and a demand for each commit."""

    def __init__(self, rows, folder: Path):
        self.rows = rows
        self.repository = TestRepository(folder / "notes.git")
        self.mirrors = folder / "mirrors"
        self.id = rows.add_project("notes", self.repository.path)

    def commit(self, files: dict[str, str]) -> str:
        commit = self.repository.commit(files)
        fetch(self.mirror, parse_remote(str(self.repository.path)), None, RemoteAccess())
        self.rows.run(
            "update knowledge.source set tip = %s, branch = 'main', wanted_seq = wanted_seq + 1",
            commit,
        )
        return commit

    @property
    def mirror(self) -> Mirror:
        return Mirror(self.mirrors, self.id)

    def want(self) -> None:
        self.rows.run("update knowledge.source set wanted_seq = wanted_seq + 1")

    def build(self, on_start=lambda: None):
        def send(message):
            if isinstance(message, Started):
                on_start()

        return run_build(Job(self.id, self.rows.url, str(self.mirrors)), send)

    @property
    def source(self):
        return self.rows.source("notes")

    def versions(self) -> list:
        return [
            self.rows.all(f"select xmin::text, ctid::text from knowledge.{table} order by ctid")
            for table in INDEX_TABLES
        ]


@pytest.fixture
def place(rows, folder):
    return Place(rows, folder)


QUERIES = {
    "document": "select path, folder, blob, head, body from knowledge.document"
    " where source_id = %s order by path",
    "folder": "select path, parent, head from knowledge.folder where source_id = %s order by path",
    "definition": "select key, kind, path, anchor from knowledge.definition"
    " where source_id = %s order by 1, 2, 3, 4",
    "reference": "select key, path from knowledge.reference where source_id = %s order by 1, 2",
    "changed": "select path, commit, at, subject from knowledge.changed"
    " where source_id = %s order by path",
}


class Bench:
    """Sources over one repository, built by hand; each is its project's only one."""

    def __init__(self, url: str, mirrors: Path, repository: Path):
        self.url, self.mirrors, self.repository = url, mirrors, repository
        self.kinds: list[str] = []

    def add(self, name: str) -> int:
        with psycopg.connect(self.url, autocommit=True) as session:
            session.execute("insert into knowledge.project (id, remote) values (%s, '')", (name,))
            row = session.execute(
                "insert into knowledge.source (project_id) values (%s) returning id", (name,)
            ).fetchone()
        return row[0]

    def build(self, source_id: int) -> dict:
        tip = fetch(Mirror(self.mirrors, source_id), parse_remote(str(self.repository)), None)
        with psycopg.connect(self.url, autocommit=True) as session:
            session.execute(
                "update knowledge.source set tip = %s, branch = %s, wanted_seq = wanted_seq + 1"
                " where id = %s",
                (tip.commit, tip.branch, source_id),
            )
        outcome = run_build(Job(source_id, self.url, str(self.mirrors)), lambda _: None)
        assert isinstance(outcome, Published), outcome
        return self.state(source_id)

    def state(self, source_id: int) -> dict:
        with psycopg.connect(self.url) as session:
            state = {
                table: session.execute(query, (source_id,)).fetchall()
                for table, query in QUERIES.items()
            }
            row = session.execute(
                "select indexed_commit, counts, left_out, config, last_build->>'kind'"
                " from knowledge.source where id = %s",
                (source_id,),
            ).fetchone()
        self.kinds.append(row[4])
        return state | {"source": row[:4]}


@pytest.fixture(scope="module")
def bench_of(postgres):
    """Make benches over one database of the module."""
    with postgres.fresh_database(prepare) as url:
        yield partial(Bench, url)


@pytest.fixture
async def reader_of():
    """Open readers that live as long as the test, as in a service: their caches see every build."""
    async with AsyncExitStack() as stack:

        async def open_reader(bench) -> Reader:
            pool = create_pool(bench.url)
            await pool.open()
            stack.push_async_callback(pool.close)
            cache = IndexCache()
            texts = Texts(bench.mirrors, cache)
            stack.callback(texts.close)
            return Reader(pool, Pointers(pool, bench.url), texts, cache)

        yield open_reader
