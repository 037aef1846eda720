"""The shelf against a real database."""

from datetime import date

import msgspec
import psycopg
import pytest

from brain.query.bundle_manifest import BundleRequest, Compiled, Manifest, stored_request
from brain.query.bundle_shelf import BundleShelf
from brain.query.search_state import SearchState
from brain.store.migrate import migrate
from brain.store.pool import create_pool

pytestmark = pytest.mark.integration

STATE = SearchState("c1" * 20, 7, "e5", 3)
REQUEST = BundleRequest("task", ("domain",), 500, ("a/b.py",), date(2026, 5, 1))


def prepare(url: str) -> None:
    migrate(url)


@pytest.fixture
def url(postgres):
    with postgres.fresh_database(prepare) as fresh:
        yield fresh


@pytest.fixture
def source_id(url):
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("insert into knowledge.project (id, remote) values ('notes', '/r')")
        return session.execute(
            "insert into knowledge.source (project_id) values ('notes') returning id"
        ).fetchone()[0]


@pytest.fixture
async def pool(url):
    opened = create_pool(url)
    await opened.open()
    yield opened
    await opened.close()


def compiled(request=REQUEST, text="the text"):
    manifest = Manifest((), (), 10, truncated=False, confidence=0.5, top_score=1.0, warnings=())
    return Compiled(request.bundle_id(STATE), request, STATE, manifest, text)


async def test_a_bundle_is_found_in_memory_then_in_the_store(pool, source_id):
    shelf = BundleShelf(pool, keeps_words=True)
    made = await shelf.keep(source_id, compiled())

    assert await shelf.find(source_id, made.id) == (made, "memory")
    other = BundleShelf(pool, keeps_words=True)
    assert await other.find(source_id, made.id) == (made, "store")
    assert await other.find(source_id, made.id) == (made, "memory")
    assert await other.find(source_id + 1, made.id) is None


async def test_what_another_process_stored_first_is_given_out(pool, source_id):
    await BundleShelf(pool, keeps_words=True).keep(source_id, compiled(text="first"))

    kept = await BundleShelf(pool, keeps_words=True).keep(source_id, compiled(text="second"))

    assert kept.text == "first"


async def test_words_that_may_not_be_kept_stay_in_memory(pool, source_id):
    shelf = BundleShelf(pool, keeps_words=False)
    made = await shelf.keep(source_id, compiled())
    row = await shelf.row(source_id, made.id)

    assert row is not None
    assert (row.task, row.text) == ("", None)
    assert await shelf.find(source_id, made.id) == (made, "memory")
    assert await BundleShelf(pool, keeps_words=False).find(source_id, made.id) is None


async def test_a_bundle_that_the_store_was_not_there_to_take_is_owed_once_and_without_text(
    source_id,
):
    away = create_pool("postgresql://nobody@127.0.0.1:1/none")
    shelf = BundleShelf(away, keeps_words=True)
    await away.open()

    made = await shelf.keep(source_id, compiled())
    owed = shelf.take_owed(source_id, made.id)

    await away.close()
    assert owed is not None
    assert (owed.task, owed.text) == ("task", None)
    assert shelf.take_owed(source_id, made.id) is None
    assert shelf.held(source_id, made.id) == made


async def test_memory_holds_256_bundles(pool, source_id):
    shelf = BundleShelf(pool, keeps_words=True)
    bundles = [
        await shelf.keep(source_id, compiled(msgspec.structs.replace(REQUEST, max_tokens=tokens)))
        for tokens in range(100, 357)
    ]

    assert shelf.held(source_id, bundles[0].id) is None
    assert shelf.held(source_id, bundles[1].id) == bundles[1]


async def test_a_stored_bundle_says_what_was_asked(pool, source_id):
    shelf = BundleShelf(pool, keeps_words=True)
    for request in (REQUEST, msgspec.structs.replace(REQUEST, for_agent=True)):
        made = await shelf.keep(source_id, compiled(request))
        row = await shelf.row(source_id, made.id)
        assert row is not None
        assert (stored_request(row) or ())[:2] == (request, STATE)
        assert stored_request(msgspec.structs.replace(row, manifest=b"\x91")) is None


def test_an_id_depends_on_all_that_was_asked_and_on_the_state():
    changed = [
        msgspec.structs.replace(REQUEST, **{name: value})
        for name, value in (
            ("task", "other"),
            ("scopes", ("domain", "other")),
            ("max_tokens", 501),
            ("paths", ()),
            ("day", date(2026, 5, 2)),
            ("for_agent", True),
        )
    ]
    states = [
        msgspec.structs.replace(STATE, **{name: value})
        for name, value in (
            ("commit", "c2" * 20),
            ("builder_version", 8),
            ("model", ""),
            ("vector_epoch", 4),
        )
    ]

    ids = {REQUEST.bundle_id(STATE)}
    ids |= {each.bundle_id(STATE) for each in changed}
    ids |= {REQUEST.bundle_id(each) for each in states}
    assert len(ids) == 11
    assert REQUEST.bundle_id(STATE) == "67d8b3d2d125e353"
