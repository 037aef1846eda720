"""The tip reference: where the followed branch of a mirror stands."""

from pathlib import Path

import pygit2

from brain.gitmirror.git_command import run_git
from brain.gitmirror.libgit2 import MirrorError, open_bare
from brain.gitmirror.object_store import ObjectStore
from brain.gitmirror.snapshot import read_commit_tree

#: A branch, because fsck objects to a HEAD that points at anything else.
TIP_REF = "refs/heads/tip"
REPLACED = "refs/brain/replaced/"
#: Longest walk between two commits; seconds.
_WALK_S = 60.0


def tip_commit(repository: pygit2.Repository) -> str | None:
    """Return the commit that the followed branch had at the last fetch."""
    try:
        return str(repository.references[TIP_REF].target)
    except KeyError:
        return None


def advance_tip(path: Path, commit: str, at: int) -> None:
    """Move the tip to *commit*, keeping the former one when the new one does not descend from it.

    The former tip is kept first, so that no crash in between loses it.

    Raises:
        ObjectMissingError: the mirror does not hold the commit or its tree.
        MirrorCorruptError: either is damaged.
    """
    read_commit_tree(ObjectStore(path / "objects"), commit)
    repository = open_bare(path)
    former = tip_commit(repository)
    if former == commit:
        return
    target = pygit2.Oid(hex=commit)
    if former is not None and not descends(path, commit, former):
        name = f"{REPLACED}{at}-{former}"
        repository.references.create(name, pygit2.Oid(hex=former), force=True)
    repository.references.create(TIP_REF, target, force=True)


def descends(path: Path, commit: str, ancestor: str) -> bool:
    """Tell whether *commit* is *ancestor* or descends from it, in the repository at *path*.

    False as well where the history between them is not whole (a shallow source) or cannot be
    read: not known to descend is treated like not descending.
    """
    if commit == ancestor:
        return True
    arguments = [f"--git-dir={path}", "merge-base", "--is-ancestor", ancestor, commit]
    finished = run_git(arguments, deadline_s=_WALK_S)
    return finished.status == 0 and not finished.timed_out


def holds_commit(path: Path, commit: str) -> bool:
    """Tell whether *commit*, 40 hex digits, is a commit whose tree can be read here."""
    try:
        return bool(read_commit_tree(ObjectStore(path / "objects"), commit))
    except MirrorError:
        return False
