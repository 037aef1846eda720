"""View: one request's sight of one commit, from the cache or from one snapshot."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar, cast

import msgspec

from brain.embedding.settings import Settings as EmbeddingSettings
from brain.query.changed import Changes, changes_of
from brain.query.index_cache import IndexCache
from brain.query.vector_shelf import VectorShelf
from brain.search.chunk_place import ChunkPlace, decode_places
from brain.search.stored_segment import SegmentHead
from brain.store import index
from brain.store import search_index as search_store
from brain.store import vectors as vector_store
from brain.store.index import StoredDocument, StoredHead
from brain.store.pointer import Pointer
from brain.store.pool import Connection
from brain.tree.config import AnchorDialect
from brain.tree.document import FolderRow
from brain.tree.reference import Definition

Value = TypeVar("Value")

_ROW_BYTES = 700
_NODE_BYTES = 500
_CHANGE_BYTES = 400
_TIME_BYTES = 200
#: Held where there is known to be nothing: every id without an anchor is asked for as a folder.
_NOTHING = "nothing"
#: What a head costs held, against its stored size, and a bucket besides its blocks.
_HEAD_FACTOR = 4
_BUCKET_BYTES = 400


class CacheMissError(Exception):
    """Something is not in the cache, and there is no snapshot to read it from."""


class FolderChildren(msgspec.Struct, frozen=True):
    """The direct children of one folder, each list in path order (bytes)."""

    folders: tuple[FolderRow, ...]
    documents: tuple[StoredHead, ...]


class View:
    """Reads of one source at one commit. Without a connection it answers from the cache or raises.

    Every method may raise CacheMissError, which only `Reader` catches.
    """

    def __init__(
        self,
        pointer: Pointer,
        cache: IndexCache,
        connection: Connection | None,
        shelf: VectorShelf | None = None,
    ) -> None:
        self.pointer = pointer
        self.shelf = shelf or VectorShelf(EmbeddingSettings())
        self._cache = cache
        self._connection = connection

    @property
    def source_id(self) -> int:
        """The source every read of this view belongs to."""
        return self.pointer.source_id

    async def folder(self, path: str) -> FolderRow | None:
        """Return a folder by path, ``""`` for the root."""
        key = self._key("folder", path)
        held = self._cache.get(key)
        if held is not None:
            return None if held is _NOTHING else cast("FolderRow", held)
        row = await index.read_folder(self._reach(), self.source_id, path)
        self._cache.put(key, row or _NOTHING, _ROW_BYTES)
        return row

    async def children(self, path: str) -> FolderChildren:
        """Return a folder's direct children."""
        key = self._key("children", path)
        held = self._cache.get(key)
        if held is not None:
            return cast("FolderChildren", held)
        connection = self._reach()
        found = FolderChildren(
            tuple(await index.list_subfolders(connection, self.source_id, path)),
            tuple(await index.list_documents(connection, self.source_id, path)),
        )
        rows = 1 + len(found.folders) + len(found.documents)
        self._cache.put(key, found, rows * _ROW_BYTES)
        return found

    async def document(self, path: str) -> StoredDocument | None:
        """Return a document with all its nodes."""
        found = await self.documents([path])
        return found[0] if found else None

    async def documents(self, paths: Sequence[str]) -> list[StoredDocument]:
        """Return those of the documents that exist, in the order asked for."""
        held = {path: self._cache.get(self._key("document", path)) for path in paths}
        missing = [path for path, row in held.items() if row is None]
        if missing:
            for row in await index.read_documents(self._reach(), self.source_id, missing):
                nodes = 2 + len(row.body.nodes) + len(row.body.references)
                self._cache.put(self._key("document", row.path), row, nodes * _NODE_BYTES)
                held[row.path] = row
        return [cast("StoredDocument", held[path]) for path in paths if held[path] is not None]

    async def definitions(self, keys: Sequence[str]) -> dict[str, list[Definition]]:
        """Return what each key names; a key that names nothing has an empty list."""
        held = {key: self._cache.get(self._key("definition", key)) for key in keys}
        missing = [key for key, found in held.items() if found is None]
        if missing:
            fresh: dict[str, list[Definition]] = {key: [] for key in missing}
            rows = await index.read_definitions(self._reach(), self.source_id, missing)
            for row in rows:
                fresh[row.key].append(row)
            for key, found in fresh.items():
                self._cache.put(self._key("definition", key), found, (1 + len(found)) * _ROW_BYTES)
            held.update(fresh)
        return {key: cast("list[Definition]", held[key]) for key in keys}

    async def referrers(self, keys: Sequence[str]) -> list[str]:
        """Return the paths of the documents that refer to any of the keys, in path order."""
        return await self._cached(
            ("referrers", *sorted(keys)),
            lambda found: (1 + len(found)) * _ROW_BYTES,
            lambda connection: index.list_referrers(connection, self.source_id, keys),
        )

    async def heads(self) -> list[StoredHead]:
        """Return the head of every document, in path order (bytes)."""
        return await self._cached(
            ("heads",),
            lambda found: (1 + len(found)) * _ROW_BYTES,
            lambda connection: index.list_heads(connection, self.source_id),
        )

    async def changes(self) -> Changes:
        """Return the last change of every document and folder for which one is known."""
        key = self._key("changes")
        held = self._cache.get(key)
        if held is None:
            rows = await index.list_changes(self._reach(), self.source_id)
            held = changes_of(rows)
            self._cache.put(key, held, (1 + len(rows)) * _CHANGE_BYTES)
        return cast("Changes", held)

    async def changes_of(self, documents: Sequence[str], folders: Sequence[str]) -> Changes:
        """Return the last changes of a few documents and folders; held by nobody."""
        connection = self._reach()
        return Changes(
            dict(await index.read_changes(connection, self.source_id, documents)),
            dict(await index.read_folder_changes(connection, self.source_id, folders)),
        )

    async def change_times(self, paths: Sequence[str]) -> dict[str, int]:
        """Return when documents were last changed, in seconds since the epoch; 0 when unknown."""
        held = {path: self._cache.get(self._key("change time", path)) for path in paths}
        missing = [path for path, at in held.items() if at is None]
        if missing:
            rows = dict(await index.read_changes(self._reach(), self.source_id, missing))
            for path in missing:
                held[path] = rows[path].at if path in rows else 0
                self._cache.put(self._key("change time", path), held[path], _TIME_BYTES)
        return {path: cast("int", at) for path, at in held.items()}

    async def segments(self) -> tuple[list[int], list[SegmentHead]]:
        """Return ids and heads of the segments that search reads, the oldest first."""
        connection = self._reach()
        ids = await search_store.list_segment_ids(connection, self.source_id)
        held = {each: self._cache.get(("segment", each)) for each in ids}
        missing = [each for each, head in held.items() if head is None]
        if missing:
            fresh = await search_store.read_segment_heads(connection, missing)
            for each, (head, size_bytes) in fresh.items():
                self._cache.put(("segment", each), head, _HEAD_FACTOR * size_bytes)
                held[each] = head
        return ids, [cast("SegmentHead", held[each]) for each in ids]

    async def buckets(
        self, wanted: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], Mapping[str, bytes]]:
        """Return the posting blocks of buckets by (segment, number); those with nothing lack."""
        held = {pair: self._cache.get(("bucket", *pair)) for pair in wanted}
        missing = [pair for pair, blocks in held.items() if blocks is None]
        if missing:
            fresh = await search_store.read_buckets(self._reach(), missing)
            for pair in missing:
                blocks, size_bytes = fresh.get(pair, ({}, 0))
                self._cache.put(("bucket", *pair), blocks, _BUCKET_BYTES + 3 * size_bytes)
                held[pair] = blocks
        return {pair: cast("Mapping[str, bytes]", blocks) for pair, blocks in held.items()}

    async def places(self, paths: Sequence[str]) -> dict[str, tuple[ChunkPlace, ...]]:
        """Return where the chunks of documents lie; those without chunks have an empty tuple."""
        held = {path: self._cache.get(self._key("places", path)) for path in paths}
        missing = [path for path, places in held.items() if places is None]
        if missing:
            fresh = await search_store.read_places(self._reach(), self.source_id, missing)
            for path in missing:
                places = decode_places(fresh[path]) if path in fresh else ()
                self._cache.put(self._key("places", path), places, 200 + 150 * len(places))
                held[path] = places
        return {path: cast("tuple[ChunkPlace, ...]", held[path]) for path in paths}

    async def text_hashes(self) -> dict[str, bytes]:
        """Return by path the hashes of what is embedded of the chunks; held by nobody."""
        return await vector_store.read_text_hashes(self._reach(), self.source_id)

    async def vectors(self, *, after: int) -> tuple[bytes, bytes]:
        """Return hashes and codes of the vectors that the source's epoch gained after another."""
        pointer = self.pointer
        return await vector_store.read_vectors(
            self._reach(),
            pointer.project_id,
            pointer.vector_model,
            after=after,
            upto=pointer.vector_epoch,
        )

    async def all_documents(self) -> list[StoredDocument]:
        """Return every document with everything stored about it; held by nobody."""
        rows = index.stream_documents(self._reach(), self.source_id)
        return [row async for row in rows]

    async def outside(self) -> list[Definition]:
        """Return the keys of Markdown files that exist and are not indexed."""
        return await index.read_outside(self._reach(), self.source_id)

    async def folder_paths(self) -> frozenset[str]:
        """Return the path of every folder."""
        return frozenset(await index.list_folder_paths(self._reach(), self.source_id))

    @property
    def dialect(self) -> AnchorDialect:
        """How headings become anchors at this commit."""
        return self.pointer.dialect

    async def derive(self, work: Callable[[], Value]) -> Value:
        """Run pure work on a thread, off the event loop."""
        return await asyncio.to_thread(work)

    async def once(
        self, name: str, size: Callable[[Value], int], make: Callable[[], Awaitable[Value]]
    ) -> Value:
        """Return what was made of this commit under a name, made now if it is not held.

        Args:
            name: says everything that the value depends on besides the commit.
            size: the bytes a value holds, estimated.
            make: reads from this view alone.
        """
        held = self.held(name)
        if held is None:
            made = await make()
            self.hold(name, made, size(made))
            return made
        return cast("Value", held)

    def held(self, name: str) -> object | None:
        """Return what was derived from this commit before and is still held."""
        return self._cache.get(self._key("derived", name))

    def hold(self, name: str, value: object, size_bytes: int) -> None:
        """Keep something derived from this commit, as long as there is room."""
        self._cache.put(self._key("derived", name), value, size_bytes)

    async def _cached(
        self,
        key: tuple[str, ...],
        size: "Callable[[list[Value]], int]",
        load: "Callable[[Connection], Awaitable[list[Value]]]",
    ) -> "list[Value]":
        held = self._cache.get(self._key(*key))
        if held is not None:
            return cast("list[Value]", held)
        found = await load(self._reach())
        self._cache.put(self._key(*key), found, size(found))
        return found

    def _key(self, *parts: str) -> tuple[object, ...]:
        # A newer builder gives the same commit other rows
        return (self.source_id, self.pointer.commit, self.pointer.publication, *parts)

    def _reach(self) -> Connection:
        if self._connection is None:
            raise CacheMissError
        return self._connection
