"""The link graph: every link of one commit, resolved; derived once a commit and never stored.

Links are kept as arrays of numbers: a commit may hold a few hundred thousand of them.
"""

from array import array
from collections.abc import Sequence

import msgspec

from brain.query.node_ref import document_nodes
from brain.query.view import View
from brain.store.index import StoredDocument
from brain.tree.config import AnchorDialect
from brain.tree.foreign_anchor import ForeignAnchor, foreign_anchors
from brain.tree.inclusion import is_restricted_path
from brain.tree.reference import Definition, Reference, ReferenceKind
from brain.tree.resolve import Target, find_anchor, path_keys, resolve_reference

_KINDS: tuple[ReferenceKind, ...] = ("link", "wikilink", "mention")
_LINK_BYTES = 24
_BROKEN_BYTES = 300
_DOCUMENT_BYTES = 300


class BrokenLink(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """A link to Markdown that the repository does not have, or to an anchor no document has."""

    #: Path of the document that holds it.
    from_: str
    #: As written.
    target: str
    #: ``link``, ``anchor`` or ``wikilink``.
    kind: str
    line: int
    #: What it would resolve to: a path, a path with fragment, or a wikilink's name.
    resolved: str
    #: The heading an anchor names in another dialect than the repository's.
    foreign: ForeignAnchor | None = None


class LinkGraph(msgspec.Struct, frozen=True):
    """Every resolved link, in the order of the linking document's path and line."""

    paths: tuple[str, ...]
    #: For each link: document and node that hold it, line, kind, document and node it points at.
    sources: "array[int]"
    source_nodes: "array[int]"
    lines: "array[int]"
    kinds: "array[int]"
    targets: "array[int]"
    target_nodes: "array[int]"
    #: Document number -> links that point into it.
    incoming: dict[int, "array[int]"]
    broken: tuple[BrokenLink, ...]

    def kind_of(self, link: int) -> ReferenceKind:
        """Return the kind of a link."""
        return _KINDS[self.kinds[link]]


async def link_graph(view: View) -> LinkGraph:
    """Return the graph of the view's commit, from the cache or derived now, on a thread."""
    held = view.held("links")
    if isinstance(held, LinkGraph):
        return held
    documents = await view.all_documents()
    outside = await view.outside()
    folders = await view.folder_paths()
    graph = await view.derive(lambda: build_graph(documents, outside, folders, view.dialect))
    size = len(graph.sources) * _LINK_BYTES + len(graph.broken) * _BROKEN_BYTES
    view.hold("links", graph, size + len(documents) * _DOCUMENT_BYTES)
    return graph


def build_graph(
    documents: Sequence[StoredDocument],
    outside: Sequence[Definition],
    folders: frozenset[str],
    dialect: AnchorDialect,
) -> LinkGraph:
    """Resolve every reference of every document; a pure function of the stored rows."""
    return _Builder(documents, outside, folders, dialect).build()


class _Builder:
    """Resolves references, remembering what each key of a document resolved to."""

    def __init__(
        self,
        documents: Sequence[StoredDocument],
        outside: Sequence[Definition],
        folders: frozenset[str],
        dialect: AnchorDialect,
    ) -> None:
        self._documents = documents
        self._folders = folders
        self._dialect = dialect
        self._numbers = {document.path: number for number, document in enumerate(documents)}
        self._definitions: dict[str, list[Definition]] = {}
        for definition in outside:
            self._definitions.setdefault(definition.key, []).append(definition)
        for document in documents:
            for definition in (*path_keys(document.path), *document.body.definitions):
                self._definitions.setdefault(definition.key, []).append(definition)
        self._anchors: dict[tuple[int, str], int | None] = {}
        self._foreign: dict[int, dict[str, ForeignAnchor]] = {}
        self._links: tuple[array[int], ...] = tuple(array("l") for _ in range(6))
        self._broken: list[BrokenLink] = []

    def build(self) -> LinkGraph:
        for number, document in enumerate(self._documents):
            for reference in document.body.references:
                self._resolve(number, document, reference)
        incoming: dict[int, array[int]] = {}
        for link, target in enumerate(self._links[4]):
            incoming.setdefault(target, array("l")).append(link)
        paths = tuple(document.path for document in self._documents)
        sources, source_nodes, lines, kinds, targets, target_nodes = self._links
        return LinkGraph(
            paths=paths,
            sources=sources,
            source_nodes=source_nodes,
            lines=lines,
            kinds=kinds,
            targets=targets,
            target_nodes=target_nodes,
            incoming=incoming,
            broken=tuple(self._broken),
        )

    def _resolve(self, number: int, document: StoredDocument, reference: Reference) -> None:
        definitions = self._definitions.get(reference.key)
        if not definitions:
            self._miss(document, reference)
            return
        anchor = self._anchor_of(document, reference.node)
        targets = resolve_reference(reference, document.path, anchor, definitions)
        if not targets:
            self._miss(document, reference)
        for target in targets:
            self._point(number, reference, document, target)

    def _point(
        self, number: int, reference: Reference, document: StoredDocument, target: Target
    ) -> None:
        pointed = self._numbers.get(target.path)
        if pointed is None:
            return
        node = self._find(pointed, target.anchor or reference.fragment, reference.kind)
        if node is None:
            self._miss_anchor(document, reference, target, pointed)
            return
        kind = _KINDS.index(reference.kind)
        values = (number, reference.node, reference.line, kind, pointed, node)
        for column, value in zip(self._links, values, strict=True):
            column.append(value)

    def _find(self, number: int, fragment: str, kind: ReferenceKind) -> int | None:
        if not fragment:
            return 0
        key = (number, f"{kind == 'wikilink'}{fragment}")
        if key not in self._anchors:
            document = self._documents[number]
            self._anchors[key] = find_anchor(
                document_nodes(document), fragment, kind, self._dialect, document.body.html_anchors
            )
        return self._anchors[key]

    def _miss(self, document: StoredDocument, reference: Reference) -> None:
        """Note a broken link; a mention, or a link to a folder that exists, never is one."""
        if reference.kind == "mention":
            return
        name = reference.key.partition(":")[2]
        if reference.kind == "link" and not self._is_lost(name):
            return
        self._broken.append(
            BrokenLink(document.path, reference.target, reference.kind, reference.line, name)
        )

    def _miss_anchor(
        self, document: StoredDocument, reference: Reference, target: Target, pointed: int
    ) -> None:
        """Note a broken anchor; a mention has none."""
        if reference.kind == "mention":
            return
        if pointed not in self._foreign:
            nodes = document_nodes(self._documents[pointed])
            self._foreign[pointed] = foreign_anchors(nodes, self._dialect)
        self._broken.append(
            BrokenLink(
                document.path,
                reference.target,
                "anchor",
                reference.line,
                f"{target.path}#{reference.fragment}",
                self._foreign[pointed].get(reference.fragment),
            )
        )

    def _is_lost(self, name: str) -> bool:
        """Say whether a path is Markdown that is nowhere; of restricted folders nothing is said."""
        if not name.lower().endswith(".md") or name in self._folders:
            return False
        return not is_restricted_path(name)

    def _anchor_of(self, document: StoredDocument, node: int) -> str:
        return "" if node == 0 else document.body.nodes[node - 1].anchor
