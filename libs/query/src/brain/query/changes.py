"""Changes: which documents differ from an earlier commit, and which of their sections."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from brain.gitmirror.ancestry import resolve_commit
from brain.gitmirror.difference import FileChange, Hunk, difference, hunks
from brain.gitmirror.libgit2 import MirrorError, ObjectMissingError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.query.freshness import Freshness
from brain.query.indexed_files import is_indexed
from brain.query.node_ref import document_nodes
from brain.query.reader import Reader
from brain.query.view import View
from brain.store.index import StoredDocument
from brain.store.pointer import Pointer
from brain.tree.config import TreeConfig
from brain.tree.node import Node, id_readings, node_id
from brain.tree.parse import parse_document

MOST_DOCUMENTS = 100
MOST_SECTIONS = 30

Status = Literal["added", "modified", "deleted", "renamed"]


class ChangedSection(msgspec.Struct, frozen=True, rename="camel"):
    """One section or card whose own lines changed; of a deleted one, its id at the older commit."""

    node_id: str
    title: str
    status: Literal["added", "modified", "deleted"]


class ChangedDocument(msgspec.Struct, frozen=True, rename="camel"):
    """One document that differs. Lines are None when the older text is not here."""

    path: str
    old_path: str | None
    status: Status
    added: int | None
    removed: int | None
    sections: list[ChangedSection]
    #: Sections and cards in all.
    sections_total: int


class ChangesAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """What changed from an earlier commit to the indexed one."""

    project_id: str
    #: The earlier commit, in full.
    from_: str = msgspec.field(name="from")
    #: At most 100, in path order.
    documents: list[ChangedDocument]
    total: int
    truncated: bool
    #: False when the older text is not here: documents are listed without lines and sections.
    lines_known: bool
    #: ``partial`` when so many files changed that some renames may show as removed and added.
    renames: Literal["complete", "partial"]


class _Found(msgspec.Struct, frozen=True):
    """What Git says, before the index is asked."""

    since: str
    changes: list[FileChange]
    statuses: list[Status]
    hunks: dict[tuple[str, str], list[Hunk]] | None
    old_nodes: dict[str, tuple[Node, ...]]
    renames_complete: bool


async def changes_answer(
    reader: Reader, project_id: str, since: str, under: str = ""
) -> ChangesAnswer:
    """Compare the indexed commit with an earlier one; computed from Git each time.

    Args:
        reader: reads the index and the texts.
        project_id: the project.
        since: the earlier commit, 7 to 64 hex digits.
        under: only in this folder or document; empty for everything.

    Raises:
        CommitMalformedError, CommitUnknownError, CommitAmbiguousError: *since* names no commit.
        what `Reader.answer` raises.
    """
    pointer = await reader.pointer(project_id)
    scope, _ = next(id_readings(under.strip("/")))
    found = await reader.texts.run_on_mirror(
        pointer, lambda mirror: _compare(mirror, pointer, since, scope)
    )
    shown = found.changes[:MOST_DOCUMENTS]
    paths = [change.path.decode() for change in shown]
    rows = await reader.answer(project_id, lambda view: _rows(view, pointer, paths))
    documents = [
        _document(change, status, found, rows)
        for change, status in zip(shown, found.statuses, strict=False)
    ]
    return ChangesAnswer(
        project_id=project_id,
        from_=found.since,
        documents=documents,
        total=len(found.changes),
        truncated=len(found.changes) > MOST_DOCUMENTS,
        lines_known=found.hunks is not None,
        renames="complete" if found.renames_complete else "partial",
        **msgspec.structs.asdict(await reader.freshness(pointer)),
    )


async def _rows(view: View, pointer: Pointer, paths: Sequence[str]) -> dict[str, StoredDocument]:
    if view.pointer.commit != pointer.commit:
        return {}
    return {document.path: document for document in await view.documents(paths)}


def _compare(mirror: Mirror, pointer: Pointer, since: str, scope: str) -> _Found:
    commit = resolve_commit(mirror, since)
    snapshot = open_snapshot(mirror.root, mirror.source_id, commit)
    newer = open_snapshot(mirror.root, mirror.source_id, pointer.commit)
    told = difference(mirror, commit, pointer.commit)
    kept = [
        each
        for change in told.changes
        if (each := _in_scope(change, snapshot, newer, scope)) is not None
    ]
    shown = [change for change, _ in kept[:MOST_DOCUMENTS]]
    lines, old_nodes = _lines(mirror, snapshot, pointer, shown)
    return _Found(
        since=commit,
        changes=[change for change, _ in kept],
        statuses=[status for _, status in kept],
        hunks=lines,
        old_nodes=old_nodes,
        renames_complete=told.renames_complete,
    )


def _in_scope(
    change: FileChange, older: Snapshot, newer: Snapshot, scope: str
) -> tuple[FileChange, Status] | None:
    """Say how a change looks from inside what is indexed and asked for; None from outside."""
    old_path = change.old_path or change.path
    was = change.status != "added" and is_indexed(older, old_path, change.old_mode, change.old_oid)
    now = change.status != "deleted" and is_indexed(newer, change.path, change.mode, change.oid)
    was = was and _is_under(old_path, scope)
    now = now and _is_under(change.path, scope)
    if was and now:
        return change, change.status
    if now:
        return msgspec.structs.replace(change, old_path=None), "added"
    if was:
        return msgspec.structs.replace(change, path=old_path, old_path=None), "deleted"
    return None


def _is_under(path: bytes, scope: str) -> bool:
    text = path.decode("utf-8", "replace")
    return not scope or text == scope or text.startswith(f"{scope}/")


def _lines(
    mirror: Mirror, older: Snapshot, pointer: Pointer, changes: Sequence[FileChange]
) -> tuple[dict[tuple[str, str], list[Hunk]] | None, dict[str, tuple[Node, ...]]]:
    config = TreeConfig(dialect=pointer.dialect)
    try:
        found = hunks(mirror, older.commit, pointer.commit, changes)
        old_nodes = {
            change.old_oid: parse_document(older.read_blob(change.old_oid), config).nodes
            for change in changes
            if change.status != "added"
        }
    except ObjectMissingError:
        return None, {}
    except MirrorError:
        return None, {}
    return found, old_nodes


def _document(
    change: FileChange, status: Status, found: _Found, rows: dict[str, StoredDocument]
) -> ChangedDocument:
    path = change.path.decode()
    old_path = change.old_path.decode("utf-8", "replace") if change.old_path else None
    if found.hunks is None:
        return ChangedDocument(path, old_path, status, None, None, [], 0)
    lines = found.hunks.get((change.old_oid, change.oid), [])
    row = rows.get(path)
    new_nodes = document_nodes(row) if row and status != "deleted" else ()
    old_nodes = found.old_nodes.get(change.old_oid, ()) if status != "added" else ()
    sections = changed_sections((old_path or path, old_nodes), (path, new_nodes), lines)
    added, removed = _counts(status, lines, old_nodes, new_nodes)
    return ChangedDocument(
        path, old_path, status, added, removed, sections[:MOST_SECTIONS], len(sections)
    )


def _counts(
    status: Status, lines: Sequence[Hunk], old: Sequence[Node], new: Sequence[Node]
) -> tuple[int, int]:
    """Count lines; what entered or left the index brings or takes all of its lines."""
    if status == "added":
        return (new[0].line_end if new else sum(hunk.new_count for hunk in lines)), 0
    if status == "deleted":
        return 0, (old[0].line_end if old else sum(hunk.old_count for hunk in lines))
    return sum(hunk.new_count for hunk in lines), sum(hunk.old_count for hunk in lines)


def changed_sections(
    old: tuple[str, Sequence[Node]], new: tuple[str, Sequence[Node]], lines: Sequence[Hunk]
) -> list[ChangedSection]:
    """Return the sections and cards whose own lines the hunks touch, in the newer order.

    A section is known by its anchor: one that only the newer document has is added, one that only
    the older has is deleted, and one of both is modified when a hunk touches its own lines on
    either side.
    """
    old_path, old_nodes = old
    path, new_nodes = new
    before = {node.anchor: node for node in old_nodes[1:]}
    after = {node.anchor for node in new_nodes[1:]}
    found = [
        ChangedSection(
            node_id(path, node.anchor),
            node.title,
            "modified" if node.anchor in before else "added",
        )
        for node in new_nodes[1:]
        if node.anchor not in before
        or _touches(node, ((hunk.new_start, hunk.new_count) for hunk in lines))
        or _touches(before[node.anchor], ((hunk.old_start, hunk.old_count) for hunk in lines))
    ]
    return found + [
        ChangedSection(node_id(old_path, node.anchor), node.title, "deleted")
        for node in old_nodes[1:]
        if node.anchor not in after
    ]


def _touches(node: Node, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(
        start <= node.own_line_end and start + count - 1 >= node.line_start
        for start, count in ranges
        if count
    )
