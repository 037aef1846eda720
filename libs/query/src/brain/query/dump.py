"""Dump: every stored row that is a function of the commit, decoded, in key order.

Two indexes of one commit, whole or incremental, here or elsewhere, give the same bytes.
"""

from collections.abc import AsyncIterator

import msgspec

from brain.query.view import View
from brain.store import index
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
