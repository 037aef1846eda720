"""Rows of an index as reads want them; the caller's snapshot decides which commit they show."""

from collections.abc import AsyncIterator, Sequence

import msgspec
from psycopg.rows import class_row, tuple_row

from brain.store.codec import (
    DocumentBody,
    DocumentHead,
    decode_body,
    decode_folder,
    decode_head,
)
from brain.store.merge import Change
from brain.store.pool import Connection
from brain.tree.document import FolderRow
from brain.tree.reference import Definition


class StoredHead(msgspec.Struct, frozen=True):
    """One document as a listing shows it."""

    path: str
    blob: str
    head: DocumentHead


class StoredDocument(msgspec.Struct, frozen=True):
    """One document with everything stored about it."""

    path: str
    blob: str
    head: DocumentHead
    body: DocumentBody


async def read_folder(connection: Connection, source_id: int, path: str) -> FolderRow | None:
    """Return one folder by path, ``""`` for the root."""
    cursor = await connection.execute(
        "select head from knowledge.folder where source_id = %s and path = %s", (source_id, path)
    )
    row = await cursor.fetchone()
    return decode_folder(row[0]) if row else None


async def list_subfolders(connection: Connection, source_id: int, parent: str) -> list[FolderRow]:
    """Return the folders directly in a folder, in path order (bytes)."""
    cursor = await connection.execute(
        "select head from knowledge.folder where source_id = %s and parent = %s order by path",
        (source_id, parent),
    )
    return [decode_folder(row[0]) for row in await cursor.fetchall()]


async def list_documents(connection: Connection, source_id: int, folder: str) -> list[StoredHead]:
    """Return the documents directly in a folder, in path order (bytes)."""
    cursor = await connection.execute(
        "select path, encode(blob, 'hex'), head from knowledge.document"
        " where source_id = %s and folder = %s order by path",
        (source_id, folder),
    )
    return [StoredHead(row[0], row[1], decode_head(row[2])) for row in await cursor.fetchall()]


async def list_heads(connection: Connection, source_id: int) -> list[StoredHead]:
    """Return every document of a source, in path order (bytes)."""
    cursor = await connection.execute(
        "select path, encode(blob, 'hex'), head from knowledge.document"
        " where source_id = %s order by path",
        (source_id,),
    )
    return [StoredHead(row[0], row[1], decode_head(row[2])) for row in await cursor.fetchall()]


async def list_folders(connection: Connection, source_id: int) -> list[FolderRow]:
    """Return every folder of a source, in path order (bytes)."""
    cursor = await connection.execute(
        "select head from knowledge.folder where source_id = %s order by path", (source_id,)
    )
    return [decode_folder(row[0]) for row in await cursor.fetchall()]


async def read_documents(
    connection: Connection, source_id: int, paths: Sequence[str]
) -> list[StoredDocument]:
    """Return the documents of those paths that exist, in path order (bytes)."""
    cursor = await connection.execute(
        "select path, encode(blob, 'hex'), head, body from knowledge.document"
        " where source_id = %s and path = any(%s) order by path",
        (source_id, list(paths)),
    )
    return [
        StoredDocument(row[0], row[1], decode_head(row[2]), decode_body(row[3]))
        for row in await cursor.fetchall()
    ]


async def read_definitions(
    connection: Connection, source_id: int, keys: Sequence[str]
) -> list[Definition]:
    """Return what those keys name, ordered by key, path and anchor."""
    cursor = connection.cursor(row_factory=class_row(Definition))
    await cursor.execute(
        "select key, kind, path, anchor from knowledge.definition"
        " where source_id = %s and key = any(%s) order by key, path, anchor, kind",
        (source_id, list(keys)),
    )
    return await cursor.fetchall()


async def list_referrers(connection: Connection, source_id: int, keys: Sequence[str]) -> list[str]:
    """Return the paths of the documents that refer to any of those keys, in path order."""
    cursor = await connection.execute(
        "select distinct path from knowledge.reference"
        " where source_id = %s and key = any(%s) order by path",
        (source_id, list(keys)),
    )
    return [row[0] for row in await cursor.fetchall()]


async def existing_paths(
    connection: Connection, source_id: int, paths: Sequence[str]
) -> tuple[set[str], set[str]]:
    """Return which of those paths are indexed documents, and which are folders."""
    cursor = connection.cursor(row_factory=tuple_row)
    await cursor.execute(
        "select path from knowledge.document where source_id = %s and path = any(%s)",
        (source_id, list(paths)),
    )
    documents = {row[0] for row in await cursor.fetchall()}
    await cursor.execute(
        "select path from knowledge.folder where source_id = %s and path = any(%s)",
        (source_id, list(paths)),
    )
    return documents, {row[0] for row in await cursor.fetchall()}


async def stream_documents(
    connection: Connection, source_id: int, *, batch: int = 200
) -> AsyncIterator[StoredDocument]:
    """Yield every document in path order (bytes) without holding them all."""
    async with connection.cursor(name="documents") as cursor:
        cursor.itersize = batch
        await cursor.execute(
            "select path, encode(blob, 'hex'), head, body from knowledge.document"
            " where source_id = %s order by path",
            (source_id,),
        )
        async for row in cursor:
            yield StoredDocument(row[0], row[1], decode_head(row[2]), decode_body(row[3]))


async def stream_definitions(connection: Connection, source_id: int) -> AsyncIterator[Definition]:
    """Yield every definition in key order."""
    async with connection.cursor(name="definitions") as cursor:
        await cursor.execute(
            "select key, kind, path, anchor from knowledge.definition"
            " where source_id = %s order by key, path, anchor, kind",
            (source_id,),
        )
        async for row in cursor:
            yield Definition(*row)


async def stream_references(
    connection: Connection, source_id: int
) -> AsyncIterator[tuple[str, str]]:
    """Yield every pair of key and referring path, in that order."""
    async with connection.cursor(name="referrers") as cursor:
        await cursor.execute(
            "select key, path from knowledge.reference where source_id = %s order by key, path",
            (source_id,),
        )
        async for row in cursor:
            yield row[0], row[1]


async def list_changes(connection: Connection, source_id: int) -> list[tuple[str, Change]]:
    """Return the last change of every document for which one is known, in path order."""
    cursor = await connection.execute(
        "select path, commit, at, subject from knowledge.changed"
        " where source_id = %s order by path",
        (source_id,),
    )
    return [(row[0], Change(row[1], row[2], row[3])) for row in await cursor.fetchall()]


async def read_changes(
    connection: Connection, source_id: int, paths: Sequence[str]
) -> list[tuple[str, Change]]:
    """Return the last change of those of the documents for which one is known."""
    cursor = await connection.execute(
        "select path, commit, at, subject from knowledge.changed"
        " where source_id = %s and path = any(%s)",
        (source_id, list(paths)),
    )
    return [(row[0], Change(row[1], row[2], row[3])) for row in await cursor.fetchall()]


async def read_folder_changes(
    connection: Connection, source_id: int, folders: Sequence[str]
) -> list[tuple[str, Change]]:
    """Return the last change of what each folder holds, where one is known.

    The latest committer date wins, then the greater commit id.

    Args:
        connection: inside a snapshot.
        source_id: of the source.
        folders: paths without slash, ``""`` for the root.
    """
    # in byte order "0" follows "/": what starts with "a/" lies between "a/" and "a0"
    cursor = await connection.execute(
        """
        select f.path, c.commit, c.at, c.subject
        from unnest(%(folders)s::text[]) f (path) cross join lateral (
            select commit, at, subject from knowledge.changed
            where source_id = %(source)s
            and path >= case f.path when '' then '' else f.path || '/' end
            and (f.path = '' or path < f.path || '0')
            order by at desc, commit collate "C" desc limit 1) c
        """,
        {"source": source_id, "folders": list(folders)},
    )
    return [(row[0], Change(row[1], row[2], row[3])) for row in await cursor.fetchall()]


async def read_outside(connection: Connection, source_id: int) -> list[Definition]:
    """Return the keys of Markdown files that exist and are not indexed."""
    cursor = connection.cursor(row_factory=class_row(Definition))
    await cursor.execute(
        """
        select d.key, d.kind, d.path, d.anchor from knowledge.definition d
        where d.source_id = %(id)s and d.kind in ('path', 'outside') and not exists (
            select 1 from knowledge.document o where o.source_id = %(id)s and o.path = d.path)
        order by d.key, d.path
        """,
        {"id": source_id},
    )
    return await cursor.fetchall()


async def list_folder_paths(connection: Connection, source_id: int) -> list[str]:
    """Return the path of every folder, in order."""
    cursor = await connection.execute(
        "select path from knowledge.folder where source_id = %s order by path", (source_id,)
    )
    return [row[0] for row in await cursor.fetchall()]
