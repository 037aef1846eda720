import psycopg
import pytest

from brain.query.index_cache import IndexCache
from brain.query.view import CacheMissError, View
from brain.store.migrate import migrate
from brain.store.pointer import Pointer


@pytest.fixture(scope="module")
def migrated(database_url):
    migrate(database_url)
    return database_url


def pointer(commit: str) -> Pointer:
    given = {"source_id": 1, "project_id": "notes", "commit": commit}
    rest = {name: None for name in Pointer.__struct_fields__ if name not in given}
    return Pointer(**given, **rest)


async def test_what_was_made_of_a_commit_is_made_once():
    cache, made = IndexCache(), []

    async def make():
        made.append(1)
        return f"answer {len(made)}"

    answers = [
        await View(pointer(commit), cache, None).once(name, len, make)
        for commit, name in (("a", "x"), ("a", "x"), ("a", "y"), ("b", "x"))
    ]

    assert answers == ["answer 1", "answer 1", "answer 2", "answer 3"]


@pytest.mark.integration
async def test_a_folder_that_is_not_there_is_asked_for_once(migrated):
    cache = IndexCache()
    async with await psycopg.AsyncConnection.connect(migrated) as connection:
        assert await View(pointer("a"), cache, connection).folder("a.md") is None

    assert await View(pointer("a"), cache, None).folder("a.md") is None
    with pytest.raises(CacheMissError):
        await View(pointer("b"), cache, None).folder("a.md")
