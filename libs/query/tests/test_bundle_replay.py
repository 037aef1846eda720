"""What is said when a bundle's text cannot be made again; that it can is tested end to end."""

from datetime import date

import psycopg
import pytest

from brain.query.bundle_manifest import (
    BundleRequest,
    BundleSection,
    Compiled,
    KeptSection,
    Manifest,
)
from brain.query.bundle_replay import find_made, replay
from brain.query.bundle_shelf import BundleShelf
from brain.query.errors import BundleNotReplayableError, BundleUnknownError
from brain.query.index_cache import IndexCache
from brain.query.pointers import Pointers
from brain.query.reader import Reader
from brain.query.search_state import SearchState
from brain.query.texts import Texts
from brain.store.migrate import migrate
from brain.store.pool import create_pool

pytestmark = pytest.mark.integration

STATE = SearchState("c" * 40, 1)
REQUEST = BundleRequest("task", ("domain",), 500, (), date(2026, 5, 1))
SECTION = BundleSection(
    "0" * 16, "a.md#a", "a.md", "A", "other", 1, 2, 3, [], None, truncated=False
)


def prepare(url: str) -> None:
    migrate(url)
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("insert into knowledge.project (id, remote) values ('notes', '/r')")
        session.execute(
            "insert into knowledge.source (project_id, indexed_commit, indexed_at)"
            " values ('notes', %s, now())",
            ("d" * 40,),
        )


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
def reader(pool, url, tmp_path):
    texts = Texts(tmp_path, IndexCache())
    yield Reader(pool, Pointers(pool, url), texts, IndexCache())
    texts.close()


def compiled(*sections: KeptSection) -> Compiled:
    manifest = Manifest(
        sections, (), 10, truncated=False, confidence=0.5, top_score=1.0, warnings=()
    )
    return Compiled(REQUEST.bundle_id(STATE), REQUEST, STATE, manifest, "not as it is rendered")


async def kept(reader: Reader, pool, made: Compiled, *, keeps_words: bool = True) -> BundleShelf:
    shelf = BundleShelf(pool, keeps_words=keeps_words)
    await shelf.keep((await reader.pointer("notes")).source_id, made)
    return shelf


async def test_a_bundle_that_nobody_made_is_unknown(reader, pool):
    shelf = BundleShelf(pool, keeps_words=True)

    for bundle_id in ("0" * 16, "", "../x", "a\0b", "'"):
        with pytest.raises(BundleUnknownError):
            await replay(reader, shelf, "notes", bundle_id)
        with pytest.raises(BundleUnknownError):
            await find_made(reader, shelf, "notes", bundle_id)


async def test_other_bytes_are_never_given_out_as_a_replay(reader, pool):
    made = compiled()
    shelf = await kept(reader, pool, made)

    with pytest.raises(BundleNotReplayableError, match="renders it differently"):
        await replay(reader, shelf, "notes", made.id)
    _, found = await find_made(reader, shelf, "notes", made.id)
    assert found.text == made.text


async def test_a_task_that_was_not_kept_cannot_be_replayed(reader, pool):
    made = compiled()
    shelf = await kept(reader, pool, made, keeps_words=False)

    with pytest.raises(BundleNotReplayableError, match="its task was not kept"):
        await replay(reader, shelf, "notes", made.id)


async def test_objects_that_are_gone_are_named(reader, pool):
    section = KeptSection(SECTION, 0, 0, 10, has_heading=True, note="", beside=0)
    made = compiled(section)
    shelf = await kept(reader, pool, made)

    with pytest.raises(BundleNotReplayableError, match=f"all of commit {'c' * 40}"):
        await replay(reader, shelf, "notes", made.id)
