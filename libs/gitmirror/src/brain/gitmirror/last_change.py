"""Last changes: for every path at once, the commit that ``git log -1 -- path`` names.

The paths start at the tip and walk towards the past together. At each commit those that differ from
it stay; the others move on to the parent they equal, the first such parent of a merge. So the work
is in the differences, not in the paths.

Source: git-log(1), History Simplification, default mode; docs/decisions/0013-last-changes.md.
"""

import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import msgspec

from brain.gitmirror.git_command import run_git
from brain.gitmirror.mirror import Mirror

MOST_COMMITS = 10_000
#: When that history says more than MOST_BYTES, this much of it is read instead.
FEWER_COMMITS = 1_000
MOST_BYTES = 256 * 1024 * 1024
_DEADLINE_S = 600.0
_HEADER = re.compile(rb"\x01([0-9a-f]{40})((?: [0-9a-f]{40})*) ?\x02([0-9]+)\x02(.*)", re.DOTALL)
_LONGEST_SUBJECT = 200
_TWO = 2


class Change(msgspec.Struct, frozen=True, order=True):
    """A commit as the last change of something shows it."""

    #: Committer date, seconds since the epoch.
    at: int
    commit: str
    #: First line of the message, at most 200 characters.
    subject: str


class LastChanges(msgspec.Struct, frozen=True):
    """What a walk found."""

    changes: dict[bytes, Change]
    #: Paths that reached the end of what was walked without differing from anything.
    unreached: set[bytes]


class _Step(msgspec.Struct):
    """One commit of the walked part of the history."""

    commit: str
    parents: tuple[str, ...]
    at: int
    subject: str
    #: Paths that differ from the first parent, and from every parent.
    differ: set[bytes]
    differ_all: set[bytes]
    #: For merges of three and more: paths that differ from each parent after the first.
    differ_later: tuple[set[bytes], ...] = ()


class _UnreadableError(Exception):
    """Git could not tell this much of the history."""


def last_changes(mirror: Mirror, tip: str, paths: Iterable[bytes]) -> LastChanges | None:
    """Find the last change of every path within the last 10,000 commits up to *tip*.

    Args:
        mirror: where the history is.
        tip: 40 hex digits.
        paths: Markdown paths that exist at the tip.

    Returns:
        None when no history can be read; the changes stay unknown.
    """
    wanted = set(paths)
    for count in (MOST_COMMITS, FEWER_COMMITS):
        try:
            steps = _read_steps(mirror, tip, None, count)
        except _UnreadableError:
            continue
        return _propagate(steps, tip, wanted, _shallow(mirror))
    return None


def changes_since(mirror: Mirror, tip: str, since: str) -> dict[bytes, Change] | None:
    """Find the last change of every path that a commit of *tip* beyond *since* touched.

    Every other path has the last change it had at *since*.

    Returns:
        None when the range alone cannot tell: a commit of it has a parent that is neither in it
        nor *since*, or the history cannot be read.
    """
    try:
        steps = _read_steps(mirror, tip, since, MOST_COMMITS)
    except _UnreadableError:
        return None
    if not _is_closed(steps, since):
        return None
    touched = set().union(*(step.differ for step in steps.values()))
    return _propagate(steps, tip, touched, _shallow(mirror)).changes


def _is_closed(steps: dict[str, _Step], since: str) -> bool:
    return all(
        parent == since or parent in steps for step in steps.values() for parent in step.parents
    )


def _read_steps(mirror: Mirror, tip: str, since: str | None, count: int) -> dict[str, _Step]:
    """Ask git twice, side by side: the differences from first parents, and those of merges."""
    history = [f"-n{count}", tip, *([f"^{since}"] if since else []), "--"]
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(
            _log, mirror, ["--diff-merges=first-parent", "--format=%x01%H %P%x02%ct%x02%s"], history
        )
        merged = threads.submit(
            _log, mirror, ["--merges", "-c", "--format=%x01%H%x02%ct%x02"], history
        )
        steps = {step.commit: step for step in _steps(first.result())}
        combined = {step.commit: step.differ for step in _steps(merged.result())}
    for commit, step in steps.items():
        step.differ_all = combined.get(commit, set()) if len(step.parents) > 1 else step.differ
        if len(step.parents) > _TWO:
            step.differ_later = tuple(_differing(mirror, commit, p) for p in step.parents[1:])
    return steps


def _differing(mirror: Mirror, commit: str, parent: str) -> set[bytes]:
    arguments = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", parent, commit, "--"]
    finished = run_git([f"--git-dir={mirror.path}", *arguments], deadline_s=_DEADLINE_S)
    if finished.status != 0 or finished.timed_out:
        raise _UnreadableError
    return set(finished.stdout.split(b"\0"))


def _log(mirror: Mirror, options: list[str], history: list[str]) -> bytes:
    finished = run_git(
        [
            f"--git-dir={mirror.path}",
            "log",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-show-signature",
            "--root",
            *options,
            *history,
        ],
        deadline_s=_DEADLINE_S,
        most_bytes=MOST_BYTES,
    )
    if finished.status != 0 or finished.timed_out:
        raise _UnreadableError
    return finished.stdout


def _steps(output: bytes) -> list[_Step]:
    steps: list[_Step] = []
    for piece in output.split(b"\0"):
        if piece.startswith(b"\x01") and (header := _HEADER.fullmatch(piece)):
            commit, parents, at, subject = header.groups()
            text = subject.decode("utf-8", "replace")[:_LONGEST_SUBJECT]
            names = tuple(parents.decode().split())
            steps.append(_Step(commit.decode(), names, int(at), text, set(), set()))
        elif steps and piece[-3:].lower() == b".md":
            steps[-1].differ.add(piece.removeprefix(b"\n"))
    return steps


def _propagate(
    steps: dict[str, _Step], tip: str, paths: set[bytes], shallow: frozenset[str]
) -> LastChanges:
    waiting: dict[str, set[bytes]] = {tip: paths}
    changes: dict[bytes, Change] = {}
    for step in _children_first(steps):
        arrived = waiting.pop(step.commit, None)
        if not arrived:
            continue
        differing = arrived & step.differ
        final = differing & step.differ_all
        # The parents of a shallow commit are not here: what seems to be added was there before.
        if step.commit not in shallow:
            change = Change(step.at, step.commit, step.subject)
            changes.update(dict.fromkeys(final, change))
        if not step.parents:
            continue
        arrived -= differing
        _hand_on(waiting, step.parents[0], arrived)
        for path in differing - final:
            _hand_on(waiting, _equal_parent(step, path), {path})
    return LastChanges(changes, set().union(*waiting.values()))


def _equal_parent(step: _Step, path: bytes) -> str:
    """Return the first parent after the first that a path equals; there is one."""
    for parent, differ in zip(step.parents[1:], step.differ_later, strict=False):
        if path not in differ:
            return parent
    return step.parents[1]


def _hand_on(waiting: dict[str, set[bytes]], commit: str, paths: set[bytes]) -> None:
    if not paths:
        return
    present = waiting.get(commit)
    if present is None:
        waiting[commit] = paths
    elif len(present) < len(paths):
        paths |= present
        waiting[commit] = paths
    else:
        present |= paths


def _children_first(steps: dict[str, _Step]) -> list[_Step]:
    """Order commits so that each stands after all its children; dates do not always do so."""
    children = dict.fromkeys(steps, 0)
    for step in steps.values():
        for parent in step.parents:
            if parent in children:
                children[parent] += 1
    ready = [commit for commit, count in children.items() if count == 0]
    ordered = []
    while ready:
        step = steps[ready.pop()]
        ordered.append(step)
        for parent in step.parents:
            if parent in children:
                children[parent] -= 1
                if children[parent] == 0:
                    ready.append(parent)
    return ordered


def _shallow(mirror: Mirror) -> frozenset[str]:
    try:
        return frozenset((mirror.path / "shallow").read_text(encoding="ascii").split())
    except OSError:
        return frozenset()
