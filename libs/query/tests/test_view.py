import random

import msgspec
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


def pointer(commit: str, publication: str = "1") -> Pointer:
    given = {
        "source_id": 1,
        "project_id": "notes",
        "commit": commit,
        "publication": publication,
    }
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


async def test_a_commit_that_was_indexed_anew_is_answered_anew():
    cache = IndexCache()
    View(pointer("a", "1"), cache, None).hold("x", "before", 1)

    assert View(pointer("a", "1"), cache, None).held("x") == "before"
    assert View(pointer("a", "2"), cache, None).held("x") is None


@pytest.mark.integration
async def test_a_folder_that_is_not_there_is_asked_for_once(migrated):
    cache = IndexCache()
    async with await psycopg.AsyncConnection.connect(migrated) as connection:
        assert await View(pointer("a"), cache, connection).folder("a.md") is None

    assert await View(pointer("a"), cache, None).folder("a.md") is None
    with pytest.raises(CacheMissError):
        await View(pointer("b"), cache, None).folder("a.md")


PATHS = ("r.md", "a/1.md", "a/b/2.md", "a/b/3.md", "a-b/4.md", "a.md", "a0/5.md", "a/b0/6.md")
FOLDERS = ("", "a", "a/b", "a-b", "a0", "a/b0", "absent")


@pytest.mark.integration
@pytest.mark.parametrize("seed", range(10))
async def test_a_folders_change_is_the_same_by_query_as_from_all_documents(migrated, seed):
    chance = random.Random(seed)
    rows = [
        (seed + 10, path, f"{chance.randrange(9):x}" * 40, chance.randrange(3), f"change {path}")
        for path in chance.sample(PATHS, 6)
    ]
    view_pointer = msgspec.structs.replace(pointer("a"), source_id=seed + 10)
    async with await psycopg.AsyncConnection.connect(migrated) as connection:
        cursor = connection.cursor()
        statement = "insert into knowledge.changed values (%s, %s, %s, %s, %s)"
        await cursor.executemany(statement, rows)
        view = View(view_pointer, IndexCache(), connection)
        every, some = await view.changes(), await view.changes_of(PATHS, FOLDERS)

    assert some.documents == every.documents
    assert {path: each.commit for path, each in some.folders.items()} == {
        path: each.commit for path, each in every.folders.items()
    }
    assert some.folders[""].at == max(row[3] for row in rows)
