"""Stored rows as an incremental build reads them, in the build's own session."""

from collections.abc import Sequence

import psycopg

from brain.store.codec import decode_body, decode_folder, decode_head
from brain.tree.document import DocumentRow, FolderRow
from brain.tree.node import Node

Session = psycopg.Connection


def read_rows(session: Session, source_id: int, paths: Sequence[str]) -> dict[str, DocumentRow]:
    """Return the stored rows of those documents that are indexed."""
    cursor = session.execute(
        "select path, encode(blob, 'hex'), head, body from knowledge.document"
        " where source_id = %s and path = any(%s)",
        (source_id, list(paths)),
    )
    return {path: _row(path, blob, head, body) for path, blob, head, body in cursor}


def read_heads(session: Session, source_id: int, folder: str) -> dict[str, Node]:
    """Return node 0 of every document directly in a folder, by path."""
    cursor = session.execute(
        "select path, head from knowledge.document where source_id = %s and folder = %s",
        (source_id, folder),
    )
    return {path: decode_head(head).node for path, head in cursor}


def read_subfolders(session: Session, source_id: int, parent: str) -> dict[str, FolderRow]:
    """Return the folders directly in a folder, by path."""
    cursor = session.execute(
        "select path, head from knowledge.folder where source_id = %s and parent = %s",
        (source_id, parent),
    )
    return {path: decode_folder(head) for path, head in cursor}


def indexed_among(session: Session, source_id: int, paths: Sequence[str]) -> set[str]:
    """Return which of those paths are indexed documents."""
    cursor = session.execute(
        "select path from knowledge.document where source_id = %s and path = any(%s)",
        (source_id, list(paths)),
    )
    return {row[0] for row in cursor}


def indexed_paths(session: Session, source_id: int) -> set[str]:
    """Return the path of every indexed document."""
    cursor = session.execute(
        "select path from knowledge.document where source_id = %s", (source_id,)
    )
    return {row[0] for row in cursor}


def _row(path: str, blob: str, head: bytes, body: bytes) -> DocumentRow:
    first, rest = decode_head(head), decode_body(body)
    return DocumentRow(
        path=path,
        blob=blob,
        nodes=(first.node, *rest.nodes),
        references=rest.references,
        definitions=rest.definitions,
        facts=first.facts,
        warnings=rest.warnings,
        html_anchors=rest.html_anchors,
    )
