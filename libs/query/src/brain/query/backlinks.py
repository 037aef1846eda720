"""Backlinks: the pages that link to a page, a heading or a card."""

import msgspec

from brain.query.errors import BadRequestError
from brain.query.freshness import Freshness
from brain.query.link_graph import LinkGraph, link_graph
from brain.query.node_ref import FoundFolder, FoundNode, document_nodes, find_node
from brain.query.node_view import NodeView, head_view, inner_view
from brain.query.reader import Reader
from brain.query.view import View
from brain.store.index import StoredDocument
from brain.store.pointer import Pointer
from brain.tree.node import node_id

MOST_SHOWN = 100


class Backlink(msgspec.Struct, frozen=True, rename="camel"):
    """One link from another page."""

    #: The section, card or document that holds it.
    node: NodeView
    #: Id of the node it points at.
    target: str
    link_kind: str
    line: int


class BacklinksAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """A window of the links to a page, or to one heading or card, by linking path and line."""

    project_id: str
    items: list[Backlink]
    total: int
    offset: int
    next_offset: int | None


async def backlinks_answer(
    reader: Reader, project_id: str, node: str, *, offset: int, limit: int
) -> BacklinksAnswer:
    """List links from other pages; of a page, those to anything in it as well.

    Raises:
        BadRequestError: the node is a folder, or the window is out of range.
        NodeNotFoundError: there is no such node.
        what `Reader.answer` raises.
    """
    if offset < 0 or not 1 <= limit <= MOST_SHOWN:
        raise BadRequestError("limit", f"must lie between 1 and {MOST_SHOWN}, from offset 0 on.")

    async def use(view: View) -> tuple[Pointer, list[Backlink], int]:
        return await _window(view, node, offset, limit)

    pointer, items, total = await reader.answer(project_id, use)
    end = offset + len(items)
    return BacklinksAnswer(
        project_id=project_id,
        items=items,
        total=total,
        offset=offset,
        next_offset=end if end < total else None,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
    )


async def _window(
    view: View, node: str, offset: int, limit: int
) -> tuple[Pointer, list[Backlink], int]:
    found = await find_node(view, node)
    if isinstance(found, FoundFolder):
        raise BadRequestError("node", "must be a document, a section or a card.")
    graph = await link_graph(view)
    links = _links_to(graph, found)
    shown = links[offset : offset + limit]
    paths = sorted({graph.paths[graph.sources[link]] for link in shown})
    rows = {row.path: row for row in await view.documents(paths)}
    items = [_item(graph, link, rows, found.document) for link in shown]
    return view.pointer, items, len(links)


def _links_to(graph: LinkGraph, found: FoundNode) -> list[int]:
    number = graph.paths.index(found.document.path)
    return [
        link
        for link in graph.incoming.get(number, ())
        if graph.sources[link] != number
        and (found.number == 0 or graph.target_nodes[link] == found.number)
    ]


def _item(
    graph: LinkGraph, link: int, rows: dict[str, StoredDocument], page: StoredDocument
) -> Backlink:
    source = rows[graph.paths[graph.sources[link]]]
    holder = graph.source_nodes[link]
    view = (
        head_view(source)
        if holder == 0
        else inner_view(source.path, document_nodes(source)[holder])
    )
    target = document_nodes(page)[graph.target_nodes[link]]
    return Backlink(view, node_id(page.path, target.anchor), graph.kind_of(link), graph.lines[link])
