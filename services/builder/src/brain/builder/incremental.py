"""The incremental build: only what changed since the stored commit, by the same code.

It stores the same rows as a whole build of the same commit; docs/decisions/0014-incremental.md.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial

import msgspec

from brain.builder.corpus import count, read_config, verdict_of
from brain.builder.gathered import Gathered
from brain.builder.job import Progress, Started
from brain.builder.parsing import parse_all
from brain.builder.searching import incremental_search
from brain.builder.version import BUILDER_VERSION
from brain.builder.whole import stored_changes
from brain.gitmirror.ancestry import is_ancestor
from brain.gitmirror.history import committed_at
from brain.gitmirror.last_change import changes_since, last_changes
from brain.gitmirror.libgit2 import MirrorError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import EntryChange, MarkdownEntry, Snapshot, open_snapshot
from brain.store.build_session import BuildStart, IndexUpdate, Session
from brain.store.merge import Change
from brain.store.search_index import has_segments
from brain.store.stored_rows import (
    indexed_among,
    indexed_paths,
    read_heads,
    read_rows,
    read_subfolders,
)
from brain.telemetry.tracing import span
from brain.tree.assemble import folder_row, folders_above, parent_folder
from brain.tree.config import TreeConfig
from brain.tree.document import DocumentRow, FolderRow
from brain.tree.inclusion import Verdict
from brain.tree.node import Node
from brain.tree.reference import Definition
from brain.tree.resolve import outside_keys

MOST_CHANGED = 2_000
#: At most this share of the documents may have changed.
MOST_SHARE = 0.2
#: Reasons that may end without the tree changing.
_NEVER_KEPT = ("missing", "over-limit")
#: Reasons whose counts a difference of two trees cannot keep.
_COUNTED_WHOLE = (*_NEVER_KEPT, "bad-name")
_CONFIG = b".brain/config.yaml"

Send = Callable[[Started | Progress], None]


class NeedsWholeError(Exception):
    """This commit has to be built whole."""


class _Plan(msgspec.Struct, frozen=True):
    """What differs, judged."""

    included: dict[str, str]
    outside: list[str]
    left_out: Counter[str]
    #: Every Markdown path that differs and has a name.
    paths: list[str]


def build_incrementally(
    session: Session, start: BuildStart, mirror: Mirror, send: Send
) -> IndexUpdate:
    """Build what changed since the stored commit.

    Raises:
        NeedsWholeError: the conditions do not hold.
    """
    _require(start, mirror)
    if start.counts.get("documents") and not has_segments(session, start.source_id):
        raise NeedsWholeError("nothing is stored for search")
    old = _open(mirror, start.indexed_commit)
    new = open_snapshot(mirror.root, mirror.source_id, start.tip)
    config = _same_config(old, new)
    plan = _plan(start, list(new.changes_since(old)))
    before = read_rows(session, start.source_id, plan.paths)
    documents, gathered = _parse(mirror, start.tip, plan, config, send)
    counts, folders, folder_paths = _assemble(session, start, plan, (before, documents), config)
    changes, changed_paths = _history(session, start, mirror, plan)
    return IndexUpdate(
        commit=start.tip,
        branch=start.branch,
        commit_at=datetime.fromtimestamp(committed_at(mirror, start.tip), UTC),
        builder_version=BUILDER_VERSION,
        config=config,
        counts=counts,
        left_out=_left_out(plan),
        last_build={"kind": "incremental", "documentsRead": len(documents)},
        documents=list(documents.values()),
        folders=folders,
        outside=_outside(plan),
        changes=changes,
        document_paths=plan.paths,
        folder_paths=folder_paths,
        changed_paths=changed_paths,
        search=partial(incremental_search, gathered, plan.paths, config),
    )


def _require(start: BuildStart, mirror: Mirror) -> None:
    if not start.indexed_commit:
        raise NeedsWholeError("nothing is stored")
    if start.whole:
        raise NeedsWholeError("a whole build is wanted")
    if start.builder_version != BUILDER_VERSION:
        raise NeedsWholeError("another builder version stored the index")
    if any(start.left_out.get(reason) for reason in _NEVER_KEPT):
        raise NeedsWholeError("documents were left out whose count a difference cannot keep")
    try:
        descends = is_ancestor(mirror, start.indexed_commit, start.tip)
    except MirrorError as error:
        raise NeedsWholeError(str(error)) from error
    if not descends:
        raise NeedsWholeError("the stored commit is no ancestor")


def _open(mirror: Mirror, commit: str) -> Snapshot:
    try:
        return open_snapshot(mirror.root, mirror.source_id, commit)
    except MirrorError as error:
        raise NeedsWholeError(str(error)) from error


def _same_config(old: Snapshot, new: Snapshot) -> TreeConfig:
    before, after = old.find_entry(_CONFIG), new.find_entry(_CONFIG)
    if before != after:
        raise NeedsWholeError("the repository's config changed")
    return read_config(new)[0]


def _plan(start: BuildStart, differences: list[EntryChange]) -> _Plan:
    plan = _Plan({}, [], Counter(start.left_out), [])
    paths: set[str] = set()
    for difference in differences:
        _judge(plan, paths, difference.before, -1)
        _judge(plan, paths, difference.after, 1)
    plan.paths.extend(sorted(paths))
    limit = min(MOST_CHANGED, MOST_SHARE * start.counts.get("documents", 0))
    if len(paths) > max(1, limit):
        raise NeedsWholeError("too many documents changed")
    return plan


def _judge(plan: _Plan, paths: set[str], entry: MarkdownEntry | None, sign: int) -> None:
    verdict: Verdict | None = verdict_of(entry) if entry else None
    if entry is None or verdict is None:
        return
    if verdict.reason in _COUNTED_WHOLE:
        raise NeedsWholeError(f"an entry is left out: {verdict.reason}")
    paths.add(verdict.path)
    if verdict.reason is not None:
        plan.left_out[verdict.reason] += sign
        if sign > 0:
            plan.outside.append(verdict.path)
    elif sign > 0:
        plan.included[verdict.path] = entry.oid


def _parse(
    mirror: Mirror, commit: str, plan: _Plan, config: TreeConfig, send: Send
) -> tuple[dict[str, DocumentRow], Gathered]:
    with span("build.parse", documents=len(plan.included)):
        entries = list(plan.included.items())
        parsed = parse_all(mirror, commit, entries, config, plan.included, send)
    return {row.path: row for row in parsed.documents}, parsed.gathered


def _assemble(
    session: Session,
    start: BuildStart,
    plan: _Plan,
    rows: tuple[dict[str, DocumentRow], dict[str, DocumentRow]],
    config: TreeConfig,
) -> tuple[dict[str, int], list[FolderRow], list[str]]:
    """Make the rows of every folder above what changed, the deepest first, and count anew."""
    before, after = rows
    touched = {folder for path in plan.paths for folder in folders_above(path)}
    made: dict[str, FolderRow] = {}
    gone: set[str] = set()
    added = 0
    with span("build.assemble", folders=len(touched)):
        for path in sorted(touched, key=lambda folder: -folder.count("/") - bool(folder)):
            heads = read_heads(session, start.source_id, path)
            subfolders = read_subfolders(session, start.source_id, path)
            _overlay(path, heads, subfolders, (before, after, made, gone))
            if heads or subfolders or not path:
                made[path] = folder_row(path, list(subfolders.values()), [*heads.items()], config)
            else:
                gone.add(path)
        known = _known_folders(session, start.source_id, touched)
        added = len(made.keys() - known) - len(gone & known)
    counts = _counts(start, before.values(), after.values(), added)
    return counts, list(made.values()), sorted(touched)


def _overlay(
    folder: str,
    heads: dict[str, Node],
    subfolders: dict[str, FolderRow],
    changed: tuple[dict[str, DocumentRow], dict[str, DocumentRow], dict[str, FolderRow], set[str]],
) -> None:
    """Turn a folder's stored children into those of the new commit."""
    before, after, made, gone = changed
    for path in before:
        if parent_folder(path) == folder:
            heads.pop(path, None)
    for path, row in after.items():
        if parent_folder(path) == folder:
            heads[path] = row.nodes[0]
    for path in gone:
        subfolders.pop(path, None)
    inside = (path for path in made if path and parent_folder(path) == folder)
    subfolders.update((path, made[path]) for path in inside)


def _known_folders(session: Session, source_id: int, touched: set[str]) -> set[str]:
    parents = {parent_folder(path) for path in touched if path}
    return {path for parent in parents for path in read_subfolders(session, source_id, parent)} | {
        ""
    }


def _counts(
    start: BuildStart,
    before: Iterable[DocumentRow],
    after: Iterable[DocumentRow],
    folders_added: int,
) -> dict[str, int]:
    counts = dict(start.counts)
    for name, number in count(list(after), ()).items():
        counts[name] = counts.get(name, 0) + number
    for name, number in count(list(before), ()).items():
        counts[name] = counts.get(name, 0) - number
    counts["folders"] = start.counts.get("folders", 0) + folders_added
    return counts


def _left_out(plan: _Plan) -> dict[str, int]:
    return {reason: number for reason, number in sorted(plan.left_out.items()) if number > 0}


def _outside(plan: _Plan) -> list[Definition]:
    return [key for path in sorted(plan.outside) for key in outside_keys(path)]


def _history(
    session: Session, start: BuildStart, mirror: Mirror, plan: _Plan
) -> tuple[dict[str, Change], list[str]]:
    """Read what the range says of last changes, or else the whole window.

    A path that neither reaches keeps what is stored.
    """
    gone = [path for path in plan.paths if path not in plan.included]
    with span("build.history"):
        found = changes_since(mirror, start.tip, start.indexed_commit)
        if found is None:
            paths = indexed_paths(session, start.source_id) | plan.included.keys()
            wanted = [path.encode() for path in sorted(paths - set(gone))]
            changes = stored_changes(last_changes(mirror, start.tip, wanted))
        else:
            told = {_text(path): each for path, each in found.items()}
            present = indexed_among(session, start.source_id, list(told))
            kept = (present | plan.included.keys()) - set(gone)
            changes = {
                path: Change(each.commit, each.at, each.subject)
                for path, each in told.items()
                if path in kept
            }
    return changes, sorted({*gone, *changes})


def _text(path: bytes) -> str:
    return path.decode("utf-8", "replace")
