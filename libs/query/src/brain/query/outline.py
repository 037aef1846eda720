"""Outline: every node in tree order."""

from collections.abc import AsyncIterator

import msgspec

from brain.query.changed import Changes
from brain.query.node_ref import FoundFolder, FoundNode, document_nodes, find_node
from brain.query.node_view import NodeView, folder_view, head_view, inner_view
from brain.query.view import View
from brain.store.index import StoredDocument, StoredHead
from brain.tree.child_order import child_order
from brain.tree.document import FolderRow
from brain.tree.node import name_of, node_id


class OutlineNode(NodeView, frozen=True, rename="camel", kw_only=True):
    """One node with its parent's id; the first one of an outline may have a parent outside it."""

    parent: str | None


async def outline(view: View, under: str) -> AsyncIterator[OutlineNode]:
    """Yield a node and everything under it, each parent before its children.

    Raises:
        NodeNotFoundError: there is no such node.
    """
    found = await find_node(view, under)
    if isinstance(found, FoundNode):
        for node in _document_outline(found.document, found.number, await view.changes()):
            yield node
        return
    async for node in _folder_outline(view, found):
        yield node


async def _folder_outline(view: View, top: FoundFolder) -> AsyncIterator[OutlineNode]:
    """Walk with a stack of our own: folders may nest as deep as Git lets them."""
    changes = await view.changes()
    pending: list[FolderRow | StoredHead] = [top.row]
    while pending:
        row = pending.pop()
        if isinstance(row, StoredHead):
            document = await view.document(row.path)
            for node in _document_outline(document, 0, changes) if document else ():
                yield node
            continue
        parent = f"{row.path.rpartition('/')[0]}/" if row.path else None
        yield _with_parent(folder_view(row, changes), parent)
        children = await view.children(row.path)
        documents = sorted(
            children.documents, key=lambda d: child_order(name_of(d.path), is_folder=False)
        )
        folders = sorted(
            children.folders, key=lambda f: child_order(name_of(f.path), is_folder=True)
        )
        pending.extend(reversed([*folders, *documents]))


def _document_outline(document: StoredDocument, top: int, changes: Changes) -> list[OutlineNode]:
    nodes = document_nodes(document)
    inside = {top}
    shown = []
    for number, node in enumerate(nodes):
        if number != top and node.parent not in inside:
            continue
        inside.add(number)
        if number == 0:
            folder = document.path.rpartition("/")[0]
            shown.append(_with_parent(head_view(document, changes), f"{folder}/"))
        else:
            parent = node_id(document.path, nodes[node.parent].anchor)
            shown.append(_with_parent(inner_view(document.path, node), parent))
    return shown


def _with_parent(view: NodeView, parent: str | None) -> OutlineNode:
    return OutlineNode(**msgspec.structs.asdict(view), parent=parent)
