"""Tree: a node, its breadcrumb, and a page of its children."""

import msgspec

from brain.query.errors import BadRequestError
from brain.query.node_ref import Found, FoundFolder, FoundNode, document_nodes, find_node
from brain.query.node_view import (
    NODE_VIEW_BYTES,
    Crumb,
    NodeView,
    child_views,
    folder_view,
    head_view,
    inner_view,
)
from brain.query.view import View
from brain.store.index import StoredHead
from brain.tree.child_order import child_order
from brain.tree.document import FolderRow
from brain.tree.node import name_of, node_id

#: More children than any folder can have.
EVERY_CHILD = 100_000
_GRANDCHILDREN = 20


class TreePage(msgspec.Struct, frozen=True, rename="camel"):
    """A node with one page of its children."""

    breadcrumb: list[Crumb]
    node: NodeView
    children: list[NodeView]
    #: Direct children in all.
    total: int
    #: Offset of the next page; None after the last.
    next_offset: int | None


async def read_tree(view: View, node: str, *, depth: int, offset: int, limit: int) -> TreePage:
    """Return a node and its children from *offset* on, at most *limit* of them.

    With *depth* 2 each child brings its first 20 children.

    Raises:
        NodeNotFoundError: there is no such node.
        BadRequestError: depth is not 1 or 2, or offset or limit is out of range.
    """
    require_page(depth=depth, offset=offset, limit=limit)
    return await view.once(
        f"tree {depth} {offset} {limit} {node}",
        _size_bytes,
        lambda: _read_page(view, node, depth=depth, offset=offset, limit=limit),
    )


def require_page(*, depth: int, offset: int, limit: int) -> None:
    """Refuse a page that means nothing.

    Raises:
        BadRequestError: depth is not 1 or 2, or offset or limit is out of range.
    """
    if depth not in (1, 2):
        raise BadRequestError("depth", "must be 1 or 2.")
    if offset < 0:
        raise BadRequestError("offset", "must not be negative.")
    if limit < 1:
        raise BadRequestError("limit", "must be at least 1.")


async def _read_page(view: View, node: str, *, depth: int, offset: int, limit: int) -> TreePage:
    found = await find_node(view, node)
    page, total = await children_of(view, found, offset, limit)
    if depth == 2:  # noqa: PLR2004 - the only depth beyond one
        page = [await with_children(view, child) for child in page]
    end = offset + len(page)
    return TreePage(
        breadcrumb=await breadcrumb_of(view, found),
        node=await view_of(view, found),
        children=page,
        total=total,
        next_offset=end if end < total else None,
    )


def _size_bytes(page: TreePage) -> int:
    below = sum(len(child.children or ()) for child in page.children)
    return (2 + len(page.breadcrumb) + len(page.children) + below) * NODE_VIEW_BYTES


async def view_of(view: View, found: Found) -> NodeView:
    """Show the node that was found."""
    if isinstance(found, FoundFolder):
        return folder_view(found.row, await view.changes_of([], [found.row.path]))
    if found.number == 0:
        return head_view(found.document, await view.changes_of([found.document.path], []))
    return inner_view(found.document.path, found.node)


async def children_of(
    view: View, found: Found, offset: int, limit: int
) -> tuple[list[NodeView], int]:
    """Return some direct children, and how many there are.

    Folders come first, then documents; below a document, sections and cards in its order.
    """
    if isinstance(found, FoundNode):
        shown = child_views(found.document, found.number)
        return shown[offset : offset + limit], len(shown)
    children = await view.children(found.row.path)
    rows: list[FolderRow | StoredHead] = [
        *sorted(children.folders, key=lambda row: child_order(name_of(row.path), is_folder=True)),
        *sorted(
            children.documents, key=lambda row: child_order(name_of(row.path), is_folder=False)
        ),
    ]
    page = rows[offset : offset + limit]
    changes = await view.changes_of(
        [row.path for row in page if isinstance(row, StoredHead)],
        [row.path for row in page if isinstance(row, FolderRow)],
    )
    return [
        folder_view(row, changes) if isinstance(row, FolderRow) else head_view(row, changes)
        for row in page
    ], len(rows)


async def breadcrumb_of(view: View, found: Found) -> list[Crumb]:
    """Return the way from the root down to the node's parent."""
    path = found.row.path if isinstance(found, FoundFolder) else found.document.path
    crumbs = []
    parts = path.split("/") if path else []
    for depth in range(len(parts)):
        row = await view.folder("/".join(parts[:depth]))
        if row is not None:
            crumbs.append(Crumb(f"{row.path}/", row.title))
    if isinstance(found, FoundNode) and found.number:
        crumbs.extend(_inner_crumbs(found))
    return crumbs


def _inner_crumbs(found: FoundNode) -> list[Crumb]:
    nodes = document_nodes(found.document)
    above = []
    number = nodes[found.number].parent
    while number >= 0:
        above.append(Crumb(node_id(found.document.path, nodes[number].anchor), nodes[number].title))
        number = nodes[number].parent
    return above[::-1]


async def with_children(view: View, child: NodeView) -> NodeView:
    """Return a child with the first 20 of its own children."""
    if not child.child_count:
        return msgspec.structs.replace(child, children=[])
    found = await find_node(view, child.id)
    grandchildren, _ = await children_of(view, found, 0, _GRANDCHILDREN)
    return msgspec.structs.replace(child, children=grandchildren)
