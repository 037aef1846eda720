"""Changes: which documents differ from an earlier commit, and which of their sections."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from brain.gitmirror.ancestry import resolve_commit
from brain.gitmirror.difference import FileChange, difference, line_counts
from brain.gitmirror.libgit2 import MirrorError
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
    #: Lines added and removed of the changes that are shown, by path; None when unknown.
    counts: dict[bytes, tuple[int, int]] | None
    #: Both sides' texts of the changes that are shown, by blob.
    texts: dict[str, bytes]
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
    documents = await reader.texts.run_on_mirror(
        pointer,
        lambda _: [
            _document(change, status, found, (rows, TreeConfig(dialect=pointer.dialect)))
            for change, status in zip(shown, found.statuses, strict=False)
        ],
    )
    return ChangesAnswer(
        project_id=project_id,
        from_=found.since,
        documents=documents,
        total=len(found.changes),
        truncated=len(found.changes) > MOST_DOCUMENTS,
        lines_known=found.counts is not None,
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
    counts, texts = _lines(mirror, (snapshot, newer), shown)
    return _Found(
        since=commit,
        changes=[change for change, _ in kept],
        statuses=[status for _, status in kept],
        counts=counts,
        texts=texts,
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
    mirror: Mirror, sides: tuple[Snapshot, Snapshot], changes: Sequence[FileChange]
) -> tuple[dict[bytes, tuple[int, int]] | None, dict[str, bytes]]:
    older, newer = sides
    try:
        counts = line_counts(mirror, older.commit, newer.commit, changes)
        texts = {
            oid: older.read_blob(oid)
            for change in changes
            for oid, is_there in (
                (change.old_oid, change.status != "added"),
                (change.oid, change.status != "deleted"),
            )
            if is_there
        }
    except MirrorError:
        return None, {}
    return counts, texts


def _document(
    change: FileChange,
    status: Status,
    found: _Found,
    newer: tuple[dict[str, StoredDocument], TreeConfig],
) -> ChangedDocument:
    path = change.path.decode()
    old_path = change.old_path.decode("utf-8", "replace") if change.old_path else None
    if found.counts is None:
        return ChangedDocument(path, old_path, status, None, None, [], 0)
    rows, config = newer
    old_text = b"" if status == "added" else found.texts[change.old_oid]
    text = b"" if status == "deleted" else found.texts[change.oid]
    old = parse_document(old_text, config).nodes
    row = rows.get(path) if status != "deleted" else None
    nodes = document_nodes(row) if row else parse_document(text, config).nodes
    sections = changed_sections((old_path or path, old, old_text), (path, nodes, text))
    if status in ("modified", "renamed"):
        added, removed = found.counts.get(change.path, (0, 0))
    elif status == "added":
        added, removed = nodes[0].line_end, 0
    else:
        added, removed = 0, old[0].line_end
    return ChangedDocument(
        path, old_path, status, added, removed, sections[:MOST_SECTIONS], len(sections)
    )


Side = tuple[str, Sequence[Node], bytes]


def changed_sections(old: Side, new: Side) -> list[ChangedSection]:
    """Return the sections and cards whose own lines changed, in the newer order.

    A section is known by its anchor: one that only the newer document has is added, one that only
    the older has is deleted, and one of both is modified when its own lines differ, be it that
    another heading took some of them. Blank lines before the next heading are nobody's, and lines
    that only moved did not change.

    Args:
        old: path, nodes and text of the older document.
        new: those of the newer.
    """
    old_path, old_nodes, _ = old
    path, nodes, _ = new
    before, after = _own_lines(old), _own_lines(new)
    found = [
        ChangedSection(
            node_id(path, node.anchor),
            node.title,
            "modified" if node.anchor in before else "added",
        )
        for node in nodes[1:]
        if before.get(node.anchor) != after[node.anchor]
    ]
    return found + [
        ChangedSection(node_id(old_path, node.anchor), node.title, "deleted")
        for node in old_nodes[1:]
        if node.anchor not in after
    ]


def _own_lines(side: Side) -> dict[str, bytes]:
    _, nodes, text = side
    lines = text.split(b"\n")
    return {
        node.anchor: b"\n".join(lines[node.line_start - 1 : node.own_line_end]).rstrip()
        for node in nodes[1:]
    }
