"""Rows of an index: written by one build, read back as they were, found by index scans."""

import psycopg
import pytest

from brain.store import index
from brain.store.build_session import begin_build, publish
from brain.store.codec import folder_of
from brain.store.migrate import migrate
from brain.store.pool import snapshot

pytestmark = pytest.mark.integration

FILES = {
    "README.md": "# Home\n\nSee [rules](rules/r.md#r-01-first) and R-01.\n",
    "rules/r.md": "---\ntitle: Rules\naliases: [law]\n---\n## R-01 First\n\nText.\n",
    "rules/more/x.md": "# X\n\n[[law]]\n",
}


@pytest.fixture
def published(session, source_id, index_of):
    start = begin_build(session, source_id, 1, background=False)
    publish(session, start, index_of(FILES, outside=("drafts/d.md",)))
    return source_id


async def test_folders_and_documents_are_listed_in_path_order(pool, published):
    async with snapshot(pool) as connection:
        root = await index.read_folder(connection, published, "")
        absent = await index.read_folder(connection, published, "absent")
        folders = await index.list_subfolders(connection, published, "")
        documents = await index.list_documents(connection, published, "rules")
        heads = await index.list_heads(connection, published)
        every = await index.list_folders(connection, published)

    assert root.path == ""
    assert absent is None
    assert [row.path for row in folders] == ["rules"]
    assert [row.path for row in documents] == ["rules/r.md"]
    assert [row.path for row in heads] == ["README.md", "rules/more/x.md", "rules/r.md"]
    assert [row.path for row in every] == ["", "rules", "rules/more"]


async def test_documents_come_back_as_they_were_written(pool, published, index_of):
    written = {row.path: row for row in index_of(FILES).documents}

    async with snapshot(pool) as connection:
        read = await index.read_documents(connection, published, ["rules/r.md", "absent.md"])
        streamed = [each async for each in index.stream_documents(connection, published, batch=1)]

    (document,) = read
    expected = written["rules/r.md"]
    assert document.blob == expected.blob
    assert (document.head.node, *document.body.nodes) == expected.nodes
    assert document.head.facts == expected.facts
    assert document.body.references == expected.references
    assert [each.path for each in streamed] == ["README.md", "rules/more/x.md", "rules/r.md"]
    assert streamed[2] == document


async def test_keys_lead_to_definitions_and_to_those_who_refer(pool, published):
    async with snapshot(pool) as connection:
        named = await index.read_definitions(connection, published, ["id:R-01", "path:none"])
        referrers = await index.list_referrers(connection, published, ["id:R-01"])
        definitions = [each async for each in index.stream_definitions(connection, published)]
        references = [each async for each in index.stream_references(connection, published)]

    assert [(each.kind, each.path, each.anchor) for each in named] == [("id", "rules/r.md", "R-01")]
    assert referrers == ["README.md"]
    assert definitions == sorted(definitions, key=lambda d: (d.key, d.path, d.anchor, d.kind))
    assert {each.path for each in definitions} == {*FILES, "drafts/d.md"}
    assert references == sorted(references)
    assert {path for _, path in references} == {"README.md", "rules/more/x.md"}


async def test_paths_are_told_apart_as_documents_and_folders(pool, published):
    async with snapshot(pool) as connection:
        found = await index.existing_paths(connection, published, ["rules", "README.md", "no.md"])

    assert found == ({"README.md"}, {"rules"})


async def test_another_source_sees_none_of_it(pool, published):
    async with snapshot(pool) as connection:
        assert await index.list_heads(connection, published + 1) == []
        assert await index.read_documents(connection, published + 1, ["README.md"]) == []
        assert await index.read_definitions(connection, published + 1, ["id:R-01"]) == []


def test_folder_of_a_path():
    assert folder_of("a/b/c.md") == "a/b"
    assert folder_of("c.md") == ""


HOT = {
    "folder": ("select head from knowledge.folder where source_id = 7 and path = 'f/5'"),
    "subfolders": ("select head from knowledge.folder where source_id = 7 and parent = 'f/5'"),
    "documents": (
        "select path, head from knowledge.document"
        " where source_id = 7 and folder = 'f/5' order by path"
    ),
    "document": (
        "select path, head, body from knowledge.document"
        " where source_id = 7 and path = any(array['f/5/1.md', 'f/6/1.md']) order by path"
    ),
    "definitions": (
        "select key, kind, path, anchor from knowledge.definition"
        " where source_id = 7 and key = any(array['k1', 'k2'])"
        " order by key, path, anchor, kind"
    ),
    "referrers": (
        "select distinct path from knowledge.reference"
        " where source_id = 7 and key = any(array['k1', 'k2']) order by path"
    ),
    "pointer": (
        "select indexed_commit from knowledge.source where audience = '' and project_id = 'p7'"
    ),
    "token": ("select id from knowledge.token where sha256 = '\\x01'"),
}


@pytest.fixture(scope="module")
def filled(postgres):
    """Ten sources of 2,000 documents each, as far as a planner looks."""
    with postgres.fresh_database() as url:
        migrate(url)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                """
                insert into knowledge.project (id, remote)
                    select 'p' || n, '/r' from generate_series(1, 200) n;
                insert into knowledge.source (project_id)
                    select 'p' || n from generate_series(1, 200) n;
                insert into knowledge.document (source_id, path, folder, blob, head, body)
                    select s, 'f/' || n % 50 || '/' || n || '.md', 'f/' || n % 50, '', '', ''
                    from generate_series(1, 10) s, generate_series(1, 2000) n;
                insert into knowledge.folder (source_id, path, parent, head)
                    select s, 'f/' || n, 'f', '' from generate_series(1, 10) s,
                    generate_series(1, 500) n;
                insert into knowledge.definition
                    select s, 'k' || n, 'path', 'f/' || n || '.md', ''
                    from generate_series(1, 10) s, generate_series(1, 5000) n;
                insert into knowledge.reference
                    select s, 'k' || n % 500, 'f/' || n || '.md'
                    from generate_series(1, 10) s, generate_series(1, 5000) n;
                insert into knowledge.token (id, name, sha256, permissions)
                    select n::text, 't', int4send(n), '{}' from generate_series(1, 5000) n;
                """
            )
            connection.execute("vacuum analyze")
            yield connection


@pytest.mark.parametrize("name", sorted(HOT))
def test_hot_reads_use_an_index(filled, name):
    plan = "\n".join(row[0] for row in filled.execute("explain " + HOT[name]).fetchall())

    assert "Seq Scan" not in plan
    assert "Index" in plan
