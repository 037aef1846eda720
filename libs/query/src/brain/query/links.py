"""Links of a node, both ways, resolved against the commit that is read."""

from collections.abc import Iterable, Sequence

import msgspec

from brain.query.node_ref import FoundNode, document_nodes
from brain.query.view import View
from brain.store.index import StoredDocument
from brain.tree.node import Node, node_id
from brain.tree.reference import Reference
from brain.tree.resolve import Target, find_anchor, path_keys, resolve_reference

MOST_SHOWN = 20
_BATCH = 200


class OutgoingLink(msgspec.Struct, frozen=True, rename="camel"):
    """One node that the text links to, first where it does."""

    id: str
    title: str
    kind: str
    line: int
    #: Other paths an ambiguous wikilink could mean.
    candidates: tuple[str, ...] = ()


class IncomingLink(msgspec.Struct, frozen=True, rename="camel"):
    """One node that links to exactly this one, first where it does."""

    id: str
    title: str
    kind: str
    line: int


class Links(msgspec.Struct, frozen=True):
    """The first 20 links each way, with totals."""

    outgoing: list[OutgoingLink]
    outgoing_total: int
    incoming: list[IncomingLink]
    incoming_total: int


class _Pointed(msgspec.Struct, frozen=True):
    """A reference with one thing it points at, its fragment not looked up yet."""

    reference: Reference
    target: Target


async def links_of(view: View, found: FoundNode, last: int) -> Links:
    """Return the links of a node's lines up to *last*, and the links to exactly that node."""
    first = found.node.line_start
    references = [each for each in found.document.body.references if first <= each.line <= last]
    pointed = _unique(await _point(view, found.document, references))
    outgoing = await _outgoing(view, pointed)
    incoming = await incoming_links(view, found)
    return Links(outgoing[:MOST_SHOWN], len(outgoing), incoming[:MOST_SHOWN], len(incoming))


async def incoming_links(view: View, found: FoundNode) -> list[IncomingLink]:
    """Return every node of another place that links to exactly this node, by path and line."""
    keys = _keys_of(found)
    shown: dict[str, IncomingLink] = {}
    paths = await view.referrers(sorted(keys))
    for start in range(0, len(paths), _BATCH):
        for document in await view.documents(paths[start : start + _BATCH]):
            for link in await _links_to(view, document, keys, found):
                shown.setdefault(link.id, link)
    shown.pop(node_id(found.document.path, found.node.anchor), None)
    return list(shown.values())


def _keys_of(found: FoundNode) -> set[str]:
    """Return the keys under which this node can be pointed at."""
    document = found.document
    named = {each.key for each in path_keys(document.path)}
    named |= {each.key for each in document.body.definitions if each.kind != "id"}
    ids = {
        each.key
        for each in document.body.definitions
        if each.kind == "id" and each.anchor == found.node.anchor
    }
    return named | ids


async def _links_to(
    view: View, document: StoredDocument, keys: set[str], found: FoundNode
) -> list[IncomingLink]:
    references = [each for each in document.body.references if each.key in keys]
    nodes = document_nodes(document)
    links = []
    for pointed in await _point(view, document, references):
        if pointed.target.path != found.document.path:
            continue
        number = _number(view, found.document, pointed)
        if number == found.number:
            holder = nodes[pointed.reference.node]
            links.append(
                IncomingLink(
                    node_id(document.path, holder.anchor),
                    holder.title,
                    pointed.reference.kind,
                    pointed.reference.line,
                )
            )
    return links


async def _point(
    view: View, document: StoredDocument, references: Sequence[Reference]
) -> list[_Pointed]:
    """Resolve references to documents; what resolves to nothing is left out."""
    definitions = await view.definitions(sorted({each.key for each in references}))
    nodes = document_nodes(document)
    return [
        _Pointed(each, target)
        for each in references
        for target in resolve_reference(
            each, document.path, nodes[each.node].anchor, definitions[each.key]
        )
    ]


def _unique(pointed: Iterable[_Pointed]) -> list[_Pointed]:
    first: dict[tuple[str, str, str], _Pointed] = {}
    for each in pointed:
        key = (each.target.path, each.target.anchor, each.reference.fragment)
        first.setdefault(key, each)
    return list(first.values())


async def _outgoing(view: View, pointed: Sequence[_Pointed]) -> list[OutgoingLink]:
    paths = sorted({each.target.path for each in pointed})
    documents = {each.path: each for each in await view.documents(paths)}
    shown: dict[str, OutgoingLink] = {}
    for each in pointed:
        document = documents.get(each.target.path)
        number = _number(view, document, each) if document else None
        if document is None or number is None:
            continue
        node: Node = document_nodes(document)[number]
        link = OutgoingLink(
            node_id(document.path, node.anchor),
            node.title,
            each.reference.kind,
            each.reference.line,
            each.target.candidates[1:],
        )
        shown.setdefault(link.id, link)
    return list(shown.values())


def _number(view: View, document: StoredDocument, pointed: _Pointed) -> int | None:
    """Return the number of the node that is pointed at; None when the fragment names none."""
    nodes = document_nodes(document)
    fragment = pointed.target.anchor or pointed.reference.fragment
    return find_anchor(
        nodes,
        fragment,
        pointed.reference.kind,
        view.pointer.dialect,
        document.body.html_anchors,
    )
