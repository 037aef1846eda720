"""Dump: every stored row that is a function of the commit, decoded, in key order.

Two indexes of one commit, whole or incremental, here or elsewhere, give the same bytes.
"""

from collections.abc import AsyncIterator, Iterator

import msgspec

from brain.query.view import View
from brain.search.chunk_place import decode_places
from brain.search.live import compact
from brain.search.posting_block import decode_block
from brain.search.stored_segment import StoredSegment, decode_bucket
from brain.store import index
from brain.store import search_index as search_store
from brain.store.pool import Connection


async def dump(view: View, connection: Connection) -> AsyncIterator[bytes]:
    """Yield one line of JSON a row, one table after the other, each in key order."""
    encode = msgspec.json.Encoder(order="sorted").encode
    yield encode({"table": "index", "commit": view.pointer.commit})
    for folder in await index.list_folders(connection, view.source_id):
        yield encode({"table": "folder", "row": msgspec.to_builtins(folder)})
    async for document in index.stream_documents(connection, view.source_id):
        yield encode({"table": "document", "row": _decoded(document)})
    async for definition in index.stream_definitions(connection, view.source_id):
        row = dict(zip(definition.__struct_fields__, msgspec.to_builtins(definition), strict=True))
        yield encode({"table": "definition", "row": row})
    async for key, path in index.stream_references(connection, view.source_id):
        yield encode({"table": "reference", "row": {"key": key, "path": path}})
    for path, change in await index.list_changes(connection, view.source_id):
        yield encode({"table": "changed", "row": {"path": path, **_named(change)}})
    merged = await _merged_segment(view, connection)
    async for row in _chunks(view, connection, merged):
        yield encode({"table": "chunk", "row": row})
    for row in _postings(merged):
        yield encode({"table": "posting", "row": row})


async def _merged_segment(view: View, connection: Connection) -> StoredSegment:
    """Merge the segments of search into what a whole build would have made."""
    ids = await search_store.list_segment_ids(connection, view.source_id)
    stored = await search_store.read_segment_heads(connection, ids)
    heads = [stored[each][0] for each in ids]
    blocks = [await search_store.read_all_blocks(connection, each) for each in ids]
    return await view.derive(lambda: compact("", heads, blocks))


async def _chunks(
    view: View, connection: Connection, merged: StoredSegment
) -> AsyncIterator[dict[str, object]]:
    """Yield what search holds of each document: its chunks with their ids, lengths and places."""
    ids, lengths = merged.head.chunk_ids().tolist(), merged.head.chunk_lengths().tolist()
    first = 0
    for document in merged.head.documents:
        stored = await search_store.read_places(connection, view.source_id, [document.path])
        places = decode_places(stored[document.path]) if stored else ()
        end = first + document.chunk_count
        rows = zip(ids[first:end], lengths[first:end], places, strict=True)
        yield _named(document) | {
            "chunks": [
                {"id": f"{chunk:016x}", "length": length, **_named(place)}
                for chunk, length, place in rows
            ]
        }
        first = end


def _postings(merged: StoredSegment) -> Iterator[dict[str, object]]:
    """Yield every term with its weight in each chunk, by the chunk's id."""
    ids = [f"{each:016x}" for each in merged.head.chunk_ids().tolist()]
    blocks: dict[str, bytes] = {}
    for bucket in merged.buckets.values():
        blocks |= decode_bucket(bucket)
    for term in sorted(blocks):
        postings = decode_block(blocks[term])
        pairs = zip(postings.numbers.tolist(), postings.weights.tolist(), strict=True)
        yield {"term": term, "weights": {ids[number]: weight for number, weight in pairs}}


def _decoded(document: index.StoredDocument) -> dict[str, object]:
    return {
        "path": document.path,
        "blob": document.blob,
        "facts": msgspec.to_builtins(document.head.facts),
        "nodes": [_named(node) for node in (document.head.node, *document.body.nodes)],
        "references": [_named(each) for each in document.body.references],
        "warnings": document.body.warnings,
        "htmlAnchors": document.body.html_anchors,
    }


def _named(row: msgspec.Struct) -> dict[str, object]:
    return {field: getattr(row, field) for field in row.__struct_fields__}
