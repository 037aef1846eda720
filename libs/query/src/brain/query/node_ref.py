"""Node ids: what a caller may name, and where it leads."""

import msgspec

from brain.query.errors import NodeNotFoundError
from brain.query.view import View
from brain.store.index import StoredDocument
from brain.tree.document import FolderRow
from brain.tree.node import Node, id_readings, node_id

_NEAREST = 5


class FoundFolder(msgspec.Struct, frozen=True):
    """A node id that names a folder or the root."""

    row: FolderRow


class FoundNode(msgspec.Struct, frozen=True):
    """A node id that names a document (number 0) or a node inside it."""

    document: StoredDocument
    number: int

    @property
    def node(self) -> Node:
        """The node itself."""
        return document_nodes(self.document)[self.number]


Found = FoundFolder | FoundNode


def document_nodes(document: StoredDocument) -> tuple[Node, ...]:
    """Return all nodes of a document; number 0 is the document."""
    return (document.head.node, *document.body.nodes)


async def find_node(view: View, node: str) -> Found:
    """Find a node by id: ``/``, ``folder/``, ``path.md``, ``path.md#slug`` or ``path.md#CARD-ID``.

    A folder is found without its slash, a document without its ending ``.md``, and a leading slash
    is forgiven; the slug of a card's heading finds the card.

    Raises:
        NodeNotFoundError: the indexed commit has no such node.
    """
    name = node.strip().removeprefix("/")
    nearest: tuple[str, ...] = ()
    for path, anchor in id_readings(name):
        folder = None if anchor else await view.folder(path.rstrip("/"))
        if folder is not None:
            return FoundFolder(folder)
        document = await view.document(path) if path else None
        number = _number_of(document, anchor) if document else None
        if document and number is not None:
            return FoundNode(document, number)
        nearest = nearest or _first_ids(document)
    named = await view.document(f"{name}.md") if name else None
    if named is not None:
        return FoundNode(named, 0)
    raise NodeNotFoundError(node, nearest)


def _number_of(document: StoredDocument, anchor: str) -> int | None:
    if not anchor:
        return 0
    nodes = document_nodes(document)
    for number, node in enumerate(nodes):
        if node.anchor == anchor:
            return number
    for number, node in enumerate(nodes):
        if node.slug == anchor.lower() and number:
            return number
    return None


def _first_ids(document: StoredDocument | None) -> tuple[str, ...]:
    if document is None:
        return ()
    nodes = document_nodes(document)[1 : _NEAREST + 1]
    return tuple(node_id(document.path, node.anchor) for node in nodes)
