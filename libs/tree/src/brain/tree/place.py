"""A parsed document at its path."""

import msgspec

from brain.tree.document import DocumentRow
from brain.tree.document_references import FoundReference
from brain.tree.link_targets import name_key, resolve_path
from brain.tree.parse import ParsedDocument
from brain.tree.reference import Definition, Reference


def place_document(parsed: ParsedDocument, path: str, blob: str) -> DocumentRow:
    """Add what depends on the path: the title of last resort, link keys, definitions.

    A link that leaves the repository is no reference.

    Args:
        parsed: what `brain.tree.parse.parse_document` made of the blob; not changed.
        path: the document's path in the repository, no leading slash.
        blob: object id of the blob, hex.
    """
    nodes = parsed.nodes
    if not nodes[0].title:
        nodes = (msgspec.structs.replace(nodes[0], title=file_name(path)), *nodes[1:])
    placed = (_reference(found, path) for found in parsed.references)
    return DocumentRow(
        path=path,
        blob=blob,
        nodes=nodes,
        references=tuple(reference for reference in placed if reference),
        definitions=(
            Definition(name_key(path), "stem", path, ""),
            *(Definition(each.key, each.kind, path, each.anchor) for each in parsed.definitions),
        ),
        facts=parsed.facts,
        warnings=parsed.warnings,
        html_anchors=parsed.html_anchors,
    )


def file_name(path: str) -> str:
    """Return the last segment of *path*."""
    return path.rpartition("/")[2]


def _reference(found: FoundReference, path: str) -> Reference | None:
    key = found.pointer
    if found.kind == "link" or not key:
        resolved = resolve_path(path, found.pointer)
        if resolved is None:
            return None
        key = f"path:{resolved}"
    return Reference(found.kind, found.node, found.line, key, found.fragment, found.target)
