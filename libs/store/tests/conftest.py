"""A database with the schema for each test, and rows as builds make them."""

from datetime import UTC, datetime

import psycopg
import pytest

from brain.store.build_session import IndexUpdate
from brain.store.migrate import migrate
from brain.store.pool import create_pool
from brain.tree.assemble import assemble_folders
from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document
from brain.tree.place import place_document
from brain.tree.resolve import path_keys


def prepare(url: str) -> None:
    migrate(url)


@pytest.fixture
def url(postgres):
    with postgres.fresh_database(prepare) as fresh:
        yield fresh


@pytest.fixture
async def pool(url):
    opened = create_pool(url)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def session(url):
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def source_id(session):
    """One project ``notes`` whose tip is owed a build."""
    session.execute("insert into knowledge.project (id, remote) values ('notes', '/r')")
    return session.execute(
        "insert into knowledge.source (project_id, tip, branch, wanted_seq)"
        " values ('notes', 'c1', 'main', 1) returning id"
    ).fetchone()[0]


@pytest.fixture
def index_of():
    """Make what a build publishes from a mapping of path to text."""

    def make(files: dict[str, str], commit: str = "c1", outside: tuple[str, ...] = ()):
        config = TreeConfig()
        documents = tuple(
            place_document(parse_document(text.encode(), config), path, f"{number:040x}")
            for number, (path, text) in enumerate(sorted(files.items()))
        )
        heads = {row.path: row.nodes[0] for row in documents}
        return IndexUpdate(
            commit=commit,
            branch="main",
            commit_at=datetime(2026, 1, 2, tzinfo=UTC),
            builder_version=1,
            documents=documents,
            folders=assemble_folders(heads, config),
            outside=tuple(key for path in outside for key in path_keys(path)),
            config=config,
            counts={"documents": len(documents)},
            left_out={},
            last_build={"kind": "whole"},
            changes={},
        )

    return make
