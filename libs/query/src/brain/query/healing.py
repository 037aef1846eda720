"""Healing: an old node id whose document or heading was renamed still resolves.

Where it went is derived from Git's history when somebody asks; nothing is accumulated.
"""

from brain.gitmirror.difference import blob_hunks
from brain.gitmirror.libgit2 import MirrorError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.removal import find_removal
from brain.gitmirror.revisions import revisions
from brain.gitmirror.snapshot import open_snapshot
from brain.query.indexed_files import find_indexed, may_be_indexed
from brain.query.line_map import map_lines
from brain.store.pointer import Pointer
from brain.tree.config import TreeConfig
from brain.tree.node import Node, id_readings, node_id
from brain.tree.parse import parse_document

#: Renames followed one after another.
_MOST_HOPS = 10
#: Older revisions of a document in which a vanished heading is looked for.
_MOST_REVISIONS = 50


def moved_to(mirror: Mirror, pointer: Pointer, node: str) -> str | None:
    """Return the id under which an old node is found at the indexed commit.

    Args:
        mirror: of the source.
        pointer: whose commit is asked.
        node: a node id of an earlier commit, ``path.md`` or ``path.md#anchor``.

    Returns:
        None when the history within its bounds does not tell.
    """
    path, anchor = next(id_readings(node.strip().removeprefix("/")))
    if not may_be_indexed(path.encode("utf-8", "surrogatepass")):
        return None
    try:
        place = present_path(mirror, pointer, path)
        if place is None or not anchor:
            return place
        return _heading(mirror, pointer, (path, place), anchor)
    except MirrorError:
        return None


def present_path(mirror: Mirror, pointer: Pointer, path: str) -> str | None:
    """Follow a path through renames to a document of the indexed commit; itself when it is one.

    Returns:
        None when its trail ends, or leads to what is not indexed.

    Raises:
        MirrorError: the history cannot be read.
    """
    newer = open_snapshot(mirror.root, mirror.source_id, pointer.commit)
    for _ in range(_MOST_HOPS):
        if newer.find_entry(path.encode("utf-8", "surrogatepass")) is not None:
            return path if find_indexed(newer, path) else None
        removal = find_removal(mirror, pointer.commit, path.encode())
        if removal is None or removal.renamed_to is None:
            return None
        path = removal.renamed_to.decode("utf-8", "replace")
    return None


def _heading(mirror: Mirror, pointer: Pointer, paths: tuple[str, str], anchor: str) -> str | None:
    """Find the revision that had a heading of this anchor, and carry its line to the present."""
    old_path, path = paths
    config = TreeConfig(dialect=pointer.dialect)
    newer = open_snapshot(mirror.root, mirror.source_id, pointer.commit)
    present = find_indexed(newer, path)
    if present is None:
        return None
    nodes = parse_document(newer.read_blob(present.oid), config).nodes
    if any(node.anchor == anchor for node in nodes[1:]):
        return node_id(path, anchor)
    for oid in revisions(mirror, pointer.commit, [old_path, path], _MOST_REVISIONS):
        old = parse_document(newer.read_blob(oid), config).nodes
        known = next((node for node in old[1:] if anchor in (node.anchor, node.slug)), None)
        if known is not None:
            return _carried(mirror, (oid, present.oid), known, (path, nodes))
    return None


def _carried(
    mirror: Mirror, oids: tuple[str, str], known: Node, present: tuple[str, tuple[Node, ...]]
) -> str | None:
    path, nodes = present
    lines = (known.line_start, known.line_start)
    _, start, _ = map_lines(blob_hunks(mirror, *oids), lines)
    if start is None:
        return None
    holder = next((node for node in nodes[1:] if node.line_start == start), None)
    return node_id(path, holder.anchor) if holder else None
