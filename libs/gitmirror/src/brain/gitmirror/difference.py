"""Differences: the Markdown files in which two commits differ, with renames, and their lines."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from brain.gitmirror.git_command import Finished, run_git
from brain.gitmirror.libgit2 import MirrorError, ObjectMissingError
from brain.gitmirror.mirror import Mirror

#: Renames with changed content are looked for among at most so many files a side.
RENAME_LIMIT = 1_000
_DEADLINE_S = 20.0
_RAW = re.compile(rb":([0-7]{6}) ([0-7]{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) ([A-Z])[0-9]*")
_HUNK = re.compile(rb"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@")
_NUMBERS = re.compile(rb"([0-9]+)\t([0-9]+)\t(.*)", re.DOTALL)
_INDEX = re.compile(rb"index ([0-9a-f]{40})\.\.([0-9a-f]{40})")
_MARKDOWN = ":(icase)*.md"
_STATUSES: dict[bytes, "ChangeStatus"] = {
    b"A": "added",
    b"C": "added",
    b"D": "deleted",
    b"M": "modified",
    b"T": "modified",
    b"R": "renamed",
}

ChangeStatus = Literal["added", "modified", "deleted", "renamed"]


class FileChange(msgspec.Struct, frozen=True):
    """One Markdown file that differs."""

    status: ChangeStatus
    #: Path at the newer commit; of a deleted file, at the older.
    path: bytes
    #: Path at the older commit when it was renamed.
    old_path: bytes | None
    old_mode: int
    mode: int
    old_oid: str
    oid: str


class Difference(msgspec.Struct, frozen=True):
    """All Markdown files that differ, in path order."""

    changes: list[FileChange]
    #: False when too many files changed for renames with changed content to be looked for.
    renames_complete: bool


class Hunk(msgspec.Struct, frozen=True):
    """Lines that were replaced: 1-based; of an empty side, the line before it."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def difference(mirror: Mirror, old: str, new: str) -> Difference:
    """Compare the Markdown of two commits, given by 40 hex digits each.

    Raises:
        ObjectMissingError: a tree of one of them is not here.
        MirrorError: git could not tell.
    """
    finished = _diff_tree(mirror, ["-r", "-z", "--raw", "--no-abbrev"], old, new, [_MARKDOWN])
    changes = sorted(_changes(finished.stdout), key=lambda change: change.path)
    return Difference(changes, "rename detection was skipped" not in finished.stderr)


def line_counts(
    mirror: Mirror, old: str, new: str, changes: Sequence[FileChange]
) -> dict[bytes, tuple[int, int]]:
    """Count the lines that each change added and removed, by its path, as git itself counts.

    Raises:
        ObjectMissingError: a blob of one of them is not here.
        MirrorError: git could not tell.

    Source: git-diff(1), ``--numstat`` with its own context: without any, lines pair up otherwise.
    """
    paths = {path for each in changes for path in (each.path, each.old_path) if path}
    if not paths:
        return {}
    literal = [f":(literal){path.decode('utf-8', 'surrogateescape')}" for path in sorted(paths)]
    options = ["-r", "-z", "--numstat", "--no-ext-diff"]
    counts = dict(_counts(_diff_tree(mirror, options, old, new, literal).stdout))
    # Git counts nothing in a text with a NUL
    for each in changes:
        if each.path not in counts and each.status in ("modified", "renamed"):
            found = blob_hunks(mirror, each.old_oid, each.oid)
            counts[each.path] = (
                sum(hunk.new_count for hunk in found),
                sum(hunk.old_count for hunk in found),
            )
    return counts


def blob_hunks(mirror: Mirror, old_oid: str, new_oid: str) -> list[Hunk]:
    """Return the hunks between two blobs.

    Raises:
        ObjectMissingError: one of them is not here.
        MirrorError: git could not tell.
    """
    if old_oid == new_oid:
        return []
    options = ["-U0", "--text", "--full-index", "--no-color", "--no-ext-diff"]
    finished = _run(mirror, ["diff", *options, old_oid, new_oid])
    return _hunks(finished.stdout).get((old_oid, new_oid), [])


def _diff_tree(
    mirror: Mirror, options: list[str], old: str, new: str, pathspec: Iterable[str]
) -> Finished:
    renames = ["-M", f"-l{RENAME_LIMIT}"]
    return _run(mirror, ["diff-tree", *renames, *options, old, new, "--", *pathspec])


def _run(mirror: Mirror, arguments: list[str]) -> Finished:
    config = {"diff.renameLimit": str(RENAME_LIMIT), "diff.algorithm": "myers"}
    finished = run_git(
        [f"--git-dir={mirror.path}", *arguments], deadline_s=_DEADLINE_S, config=config
    )
    if finished.timed_out:
        raise MirrorError("The difference takes too long.")
    if finished.status != 0:
        raise ObjectMissingError(finished.stderr[:200])
    return finished


def _changes(output: bytes) -> Iterable[FileChange]:
    fields = iter(output.split(b"\0"))
    for field in fields:
        header = _RAW.fullmatch(field)
        if header is None:
            continue
        old_mode, mode, old_oid, oid, letter = header.groups()
        status = _STATUSES.get(letter, "modified")
        first = next(fields, b"")
        renamed = letter in (b"R", b"C")
        path = next(fields, b"") if renamed else first
        yield FileChange(
            status,
            path,
            first if letter == b"R" else None,
            int(old_mode, 8),
            int(mode, 8),
            old_oid.decode(),
            oid.decode(),
        )


def _counts(output: bytes) -> Iterable[tuple[bytes, tuple[int, int]]]:
    fields = iter(output.split(b"\0"))
    for field in fields:
        found = _NUMBERS.fullmatch(field)
        if found is None:
            continue
        added, removed, path = found.groups()
        if not path:
            next(fields, b"")
            path = next(fields, b"")
        yield path, (int(added), int(removed))


def _hunks(output: bytes) -> dict[tuple[str, str], list[Hunk]]:
    found: dict[tuple[str, str], list[Hunk]] = {}
    current: list[Hunk] = []
    for line in output.split(b"\n"):
        if line.startswith(b"index ") and (index := _INDEX.match(line)):
            current = found.setdefault((index[1].decode(), index[2].decode()), [])
        elif line.startswith(b"@@ ") and (hunk := _HUNK.match(line)):
            start, count, new_start, new_count = hunk.groups()
            current.append(
                Hunk(
                    int(start),
                    1 if count is None else int(count),
                    int(new_start),
                    1 if new_count is None else int(new_count),
                )
            )
    return found
