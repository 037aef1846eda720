"""Search with a vector leg, over an index and vectors as they are stored."""

import contextlib

import pytest

from brain.builder.build import run_build
from brain.builder.filling import run_fill
from brain.builder.job import FillJob, Job
from brain.embedding.settings import Settings
from brain.query.errors import BadRequestError
from brain.query.index_cache import IndexCache
from brain.query.pointers import Pointers
from brain.query.ranking import Filters
from brain.query.reader import Reader
from brain.query.search import SearchOptions, search_answer
from brain.query.texts import Texts
from brain.query.vector_shelf import VectorShelf
from brain.store.pool import create_pool
from brain.testkit.embedding_server import embedding_server

pytestmark = pytest.mark.integration

FILES = {
    "a.md": "# Prices\n\nWe give money after two days.\n",
    "b.md": "# Boats\n\nBoats are blue.\n",
    "other/c.md": "# Money\n\nAnything that is money.\n",
}


@pytest.fixture(scope="module")
def model_server():
    with embedding_server() as server:
        yield server


@pytest.fixture
def server(model_server):
    model_server.status = 200
    return model_server


def settings_of(server) -> Settings:
    return Settings(provider="openai", model="test", url=server.url, batch_size=1, timeout_s=5)


@contextlib.asynccontextmanager
async def reader_of(place, settings):
    pool = create_pool(place.rows.url)
    cache = IndexCache()
    texts = Texts(place.mirrors, cache)
    shelf = VectorShelf(settings)
    await pool.open()
    try:
        yield Reader(pool, Pointers(pool, place.rows.url), texts, cache, shelf)
    finally:
        await shelf.close()
        texts.close()
        await pool.close()


async def found(place, settings, query: str, **options):
    async with reader_of(place, settings) as reader:
        return await search_answer(reader, "notes", query, SearchOptions(**options))


def build(place, files=FILES) -> None:
    place.commit(files)
    run_build(Job(place.id, place.rows.url, str(place.mirrors), model="openai test"), lambda _: 0)


def fill(place, server, turn_s: float = 20.0) -> None:
    job = FillJob(
        place.id, place.rows.url, str(place.mirrors), settings_of(server), "openai test", turn_s
    )
    run_fill(job)


async def test_what_no_word_finds_a_vector_does(place, server):
    build(place)
    fill(place, server)

    words = await found(place, settings_of(server), "refund", mode="bm25")
    both = await found(place, settings_of(server), "refund", mode="hybrid")

    assert words.hits == []
    assert [hit.node_id for hit in both.hits][:2] == ["other/c.md#money", "a.md#prices"]
    assert both.hits[0].sources == ["vector"]
    assert words.warnings[:-1] == both.warnings == []


async def test_filters_hold_inside_the_vector_leg(place, server):
    build(place)
    fill(place, server)

    answer = await found(
        place, settings_of(server), "refund", mode="vector", filters=Filters(under="b.md")
    )

    assert [hit.node_id for hit in answer.hits] == ["b.md#boats"]


async def test_an_answer_says_how_many_passages_wait(place, server):
    build(place)
    fill(place, server, turn_s=0)

    answer = await found(place, settings_of(server), "boats are blue")

    assert "2 of 3 passages have no vector yet." in answer.warnings
    assert answer.hits[0].node_id == "b.md#boats"


async def test_vectors_that_came_meanwhile_are_seen_by_the_same_reader(place, server):
    build(place)
    async with reader_of(place, settings_of(server)) as reader:
        options = SearchOptions(mode="vector")
        before = await search_answer(reader, "notes", "refund", options)
        fill(place, server)
        after = await search_answer(reader, "notes", "refund", options)
        build(place, {**FILES, "d.md": "# Refund\n\nrefund refund refund\n"})
        fill(place, server)
        grown = await search_answer(reader, "notes", "refund", options)

    assert before.warnings[0] == "3 of 3 passages have no vector yet."
    assert [hit.node_id for hit in after.hits][:2] == ["other/c.md#money", "a.md#prices"]
    assert grown.hits[0].node_id == "d.md#refund"


async def test_an_outage_of_the_model_leaves_keywords_with_a_warning(place, server):
    build(place)
    fill(place, server)
    server.status = 500

    answer = await found(place, settings_of(server), "boats")
    by_vector = await found(place, settings_of(server), "boats", mode="vector")

    assert answer.hits[0].sources == ["keyword"]
    assert answer.warnings == ["The model's server answered 500. The answer is by keywords only."]
    assert by_vector.hits[0].node_id == "b.md#boats"


async def test_without_a_model_vectors_cannot_be_asked_for(place, server):
    build(place)

    answer = await found(place, Settings(), "boats")
    with pytest.raises(BadRequestError, match="needs an embedding model"):
        await found(place, Settings(), "boats", mode="vector")

    assert answer.warnings == ["No embedding model is configured: keywords only."]


async def test_vectors_of_another_model_are_not_compared(place, server):
    build(place)
    fill(place, server)
    other = Settings(provider="openai", model="other", url=server.url)

    answer = await found(place, other, "boats")

    assert answer.warnings == [
        "No passage has a vector of the configured model yet: keywords only."
    ]
