"""Nodes as answers show them."""

import msgspec

from brain.query.changed import Changes, ChangeView
from brain.query.node_ref import document_nodes
from brain.store.index import StoredDocument, StoredHead
from brain.tree.document import Facts, FolderRow
from brain.tree.node import Node, node_id, token_count

#: What a view holds, about: its summary, its id, and its last change.
NODE_VIEW_BYTES = 1_200


class Crumb(msgspec.Struct, frozen=True):
    """One step of a breadcrumb."""

    id: str
    title: str


class BestPlace(msgspec.Struct, frozen=True, rename="camel"):
    """A node beneath another where words are met, and the lines that meet them."""

    id: str
    title: str
    #: Of its document.
    document_title: str
    path: str
    line_start: int
    line_end: int
    #: How well they meet the words: 1 for every word at its most.
    match: float
    #: Why its document no longer holds.
    status: str | msgspec.UnsetType = msgspec.UNSET


class NodeView(msgspec.Struct, frozen=True, rename="camel"):
    """One node. Folders and the root have no lines; an absent status means nothing is known."""

    id: str
    kind: str
    title: str
    summary: str
    summary_source: str
    path: str
    line_start: int | None
    own_line_end: int | None
    line_end: int | None
    #: Estimated at four characters each, over everything under the node.
    tokens: int
    child_count: int
    status: str | msgspec.UnsetType = msgspec.UNSET
    #: Documents, folders and the root carry their last change when it is known.
    changed: ChangeView | msgspec.UnsetType = msgspec.UNSET
    children: "list[NodeView] | msgspec.UnsetType" = msgspec.UNSET
    #: Of a child that was asked for by words: how well its best passage meets them, 1 for every
    #: word at its most, and where beneath it they are met, best first.
    match: float | msgspec.UnsetType = msgspec.UNSET
    best: list[BestPlace] | msgspec.UnsetType = msgspec.UNSET


def folder_view(row: FolderRow, changes: Changes | None = None) -> NodeView:
    """Show a folder, or the root."""
    return NodeView(
        id=f"{row.path}/",
        kind="folder" if row.path else "root",
        title=row.title,
        summary=row.summary,
        summary_source=row.summary_source,
        path=f"{row.path}/",
        line_start=None,
        own_line_end=None,
        line_end=None,
        tokens=token_count(row.size_chars),
        child_count=row.child_count,
        changed=_shown(changes, row.path, is_folder=True),
    )


def head_view(stored: StoredHead | StoredDocument, changes: Changes | None = None) -> NodeView:
    """Show a document."""
    shown = inner_view(stored.path, stored.head.node, stored.head.facts)
    changed = _shown(changes, stored.path, is_folder=False)
    return shown if changed is msgspec.UNSET else msgspec.structs.replace(shown, changed=changed)


def _shown(
    changes: Changes | None, path: str, *, is_folder: bool
) -> ChangeView | msgspec.UnsetType:
    known = changes.of(path, is_folder=is_folder) if changes else None
    return known or msgspec.UNSET


def inner_view(path: str, node: Node, facts: Facts | None = None) -> NodeView:
    """Show a node of the document at *path*."""
    return NodeView(
        id=node_id(path, node.anchor),
        kind=node.kind,
        title=node.title,
        summary=node.summary,
        summary_source=node.summary_source,
        path=path,
        line_start=node.line_start,
        own_line_end=node.own_line_end,
        line_end=node.line_end,
        tokens=token_count(node.size_chars),
        child_count=node.child_count,
        status=facts.status if facts and facts.status else msgspec.UNSET,
    )


def child_views(document: StoredDocument, number: int) -> list[NodeView]:
    """Show the direct children of one node of a document, in document order."""
    nodes = document_nodes(document)
    return [inner_view(document.path, node) for node in nodes if node.parent == number]
