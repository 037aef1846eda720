"""Cite: where the lines of an old citation are at the indexed commit."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal

import msgspec

from brain.gitmirror.ancestry import resolve_commit
from brain.gitmirror.difference import FileChange, blob_hunks, difference
from brain.gitmirror.libgit2 import ObjectMissingError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.query.errors import BadRequestError
from brain.query.freshness import Freshness
from brain.query.healing import present_path
from brain.query.indexed_files import find_indexed, is_indexed
from brain.query.line_map import map_lines
from brain.query.reader import Reader
from brain.query.texts import lines_of
from brain.query.view import View
from brain.store.pointer import Pointer
from brain.tree.summary.status import OUT_OF_FORCE

State = Literal["same", "moved", "edited", "gone", "superseded"]
#: Documents in which vanished lines are looked for.
_MOST_SEARCHED = 100


class CiteAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """Where the cited lines are now; a citation that is gone keeps the path it had."""

    project_id: str
    state: State
    path: str
    #: None when they are gone.
    line_start: int | None
    line_end: int | None
    #: What replaced the document, when its front matter says so.
    superseded_by: list[str]


class _Place(msgspec.Struct, frozen=True):
    """Where lines were found."""

    state: State
    path: str
    line_start: int | None
    line_end: int | None


class _Cited(msgspec.Struct, frozen=True):
    """What is cited: a document of the older commit, and lines of it."""

    path: str
    oid: str
    lines: tuple[int, int]
    text: list[str]


async def cite_answer(
    reader: Reader, project_id: str, path: str, lines: tuple[int, int], commit: str
) -> CiteAnswer:
    """Find the lines of a citation at the indexed commit; derived from Git, never accumulated.

    Args:
        reader: reads the index and the texts.
        project_id: the project.
        path: of the document at the citation's commit.
        lines: first and last, 1-based, inclusive.
        commit: the citation's commit, 7 to 64 hex digits.

    Raises:
        CommitMalformedError, CommitUnknownError, CommitAmbiguousError: there is no such commit.
        BadRequestError: the document did not have these lines at that commit.
        what `Reader.answer` raises.
    """
    if not 1 <= lines[0] <= lines[1]:
        raise BadRequestError("lines", "must be two numbers, the first at least 1.")
    pointer = await reader.pointer(project_id)
    place = await reader.texts.run_on_mirror(
        pointer, lambda mirror: _find(mirror, pointer, path, lines, commit)
    )
    status, replaced_by = await reader.answer(project_id, lambda view: _force(view, place.path))
    is_out = place.state != "gone" and status in OUT_OF_FORCE
    return CiteAnswer(
        project_id=project_id,
        state="superseded" if is_out else place.state,
        path=place.path,
        line_start=place.line_start,
        line_end=place.line_end,
        superseded_by=replaced_by,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
    )


async def _force(view: View, path: str) -> tuple[str, list[str]]:
    document = await view.document(path)
    if document is None:
        return "", []
    return document.head.facts.status, list(document.head.facts.superseded_by)


def _find(
    mirror: Mirror, pointer: Pointer, path: str, lines: tuple[int, int], commit: str
) -> _Place:
    since = resolve_commit(mirror, commit)
    older = open_snapshot(mirror.root, mirror.source_id, since)
    newer = open_snapshot(mirror.root, mirror.source_id, pointer.commit)
    entry = find_indexed(older, path)
    if entry is None:
        raise BadRequestError("path", "the commit has no such document.")
    data = older.read_blob(entry.oid)
    cited = lines_of(data, *lines)
    if len(cited) < lines[1] - lines[0] + 1:
        raise BadRequestError("lines", "the file did not have these lines at that commit.")
    here = find_indexed(newer, path)
    if here is not None:
        found = _mapped(mirror, newer, _Cited(path, entry.oid, lines, cited), (path, here.oid))
        return found if found.state != "gone" else _elsewhere(mirror, older, newer, cited, found)
    return _followed(mirror, pointer, (older, newer), _Cited(path, entry.oid, lines, cited))


def _followed(
    mirror: Mirror, pointer: Pointer, snapshots: tuple[Snapshot, Snapshot], cited: _Cited
) -> _Place:
    """Follow a document whose path is gone to where it was renamed, at once or step by step."""
    older, newer = snapshots
    told = difference(mirror, older.commit, newer.commit)
    gone = _Place("gone", cited.path, None, None)
    for path, oid in _renamed(mirror, pointer, newer, (cited.path, told.changes)):
        found = _mapped(mirror, newer, cited, (path, oid))
        if found.state != "gone":
            return found
    return _search(newer, told.changes, cited.text, gone)


def _renamed(
    mirror: Mirror, pointer: Pointer, newer: Snapshot, told: tuple[str, Sequence[FileChange]]
) -> Iterator[tuple[str, str]]:
    """Yield where a document may be: a rename edited since is one only from commit to commit."""
    path, changes = told
    for change in changes:
        if change.old_path == path.encode() and _is_shown(newer, change):
            yield change.path.decode("utf-8", "replace"), change.oid
    present = present_path(mirror, pointer, path)
    entry = find_indexed(newer, present) if present else None
    if present and entry:
        yield present, entry.oid


def _elsewhere(
    mirror: Mirror, older: Snapshot, newer: Snapshot, cited: Sequence[str], gone: _Place
) -> _Place:
    """Look for lines that left their document in those that changed since."""
    return _search(newer, difference(mirror, older.commit, newer.commit).changes, cited, gone)


def _search(
    newer: Snapshot, changes: Sequence[FileChange], cited: Sequence[str], gone: _Place
) -> _Place:
    if not any(line.strip() for line in cited):
        return gone
    shown = (each for each in changes if each.status != "deleted" and _is_shown(newer, each))
    for change in islice(shown, _MOST_SEARCHED):
        try:
            found = find_lines(newer.read_blob(change.oid), cited)
        except ObjectMissingError:
            continue
        if found is not None:
            path = change.path.decode("utf-8", "replace")
            return _Place("moved", path, found, found + len(cited) - 1)
    return gone


def _is_shown(newer: Snapshot, change: FileChange) -> bool:
    return is_indexed(newer, change.path, change.mode, change.oid)


def find_lines(data: bytes, cited: Sequence[str]) -> int | None:
    """Return the first line at which consecutive lines stand, 1-based; None when they do not."""
    lines = [line.decode("utf-8", "replace") for line in data.split(b"\n")]
    width = len(cited)
    for start in range(len(lines) - width + 1):
        if lines[start] == cited[0] and lines[start : start + width] == list(cited):
            return start + 1
    return None


def _mapped(mirror: Mirror, newer: Snapshot, cited: _Cited, new: tuple[str, str]) -> _Place:
    path, oid = new
    touched, first, last = map_lines(blob_hunks(mirror, cited.oid, oid), cited.lines)
    if first is None or last is None:
        return _Place("gone", cited.path, None, None)
    # A last line that only got its line end reads as it did
    if touched and lines_of(newer.read_blob(oid), first, last) != list(cited.text):
        return _Place("edited", path, first, last)
    unmoved = path == cited.path and (first, last) == cited.lines
    return _Place("same" if unmoved else "moved", path, first, last)
