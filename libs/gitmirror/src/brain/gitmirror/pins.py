"""Pins: references that keep the commits of indexes, and replaced tips, from being pruned.

Three kinds of reference live in a mirror: ``refs/heads/tip`` is the followed branch,
``refs/brain/pin/<commit>`` a commit that an index or a citation uses, and
``refs/brain/replaced/<seconds>-<commit>`` a tip that a force push took away, with the time of it.
Whoever writes one holds the mirror's lock.
"""

import re

import msgspec
import pygit2

from brain.gitmirror.libgit2 import ObjectMissingError, open_bare
from brain.gitmirror.mirror import Mirror, locked_mirror
from brain.gitmirror.tip_ref import REPLACED, holds_commit

_PIN = "refs/brain/pin/"
_REPLACED_NAME = re.compile(rf"{REPLACED}([0-9]{{1,12}})-([0-9a-f]{{40}})")


class Replaced(msgspec.Struct, frozen=True, order=True):
    """A tip that was no ancestor of its successor."""

    #: Seconds since the epoch when the successor was fetched.
    at: int
    commit: str


def pin(mirror: Mirror, commit: str) -> None:
    """Keep *commit*, 40 hex digits, and everything it reaches; twice is as good as once.

    Raises:
        ObjectMissingError: the mirror does not hold the commit.
        MirrorMissingError: there is no mirror.
        MirrorBusyError: another process kept writing this mirror.
    """
    with locked_mirror(mirror):
        repository = open_bare(mirror.path)
        if not holds_commit(mirror.path, commit):
            raise ObjectMissingError(commit)
        repository.references.create(_PIN + commit, pygit2.Oid(hex=commit), force=True)


def unpin(mirror: Mirror, commit: str) -> None:
    """Let *commit* go; one that is not pinned is no error.

    Raises:
        MirrorMissingError: there is no mirror.
        MirrorBusyError: another process kept writing this mirror.
    """
    with locked_mirror(mirror):
        repository = open_bare(mirror.path)
        if commit in _pinned(repository):
            repository.references.delete(_PIN + commit)


def pinned(mirror: Mirror) -> list[str]:
    """List the pinned commits, sorted.

    Raises:
        MirrorMissingError: there is no mirror.
    """
    return sorted(_pinned(open_bare(mirror.path)))


def replaced_tips(mirror: Mirror) -> list[Replaced]:
    """List the tips that were replaced by what does not descend from them, oldest first.

    Raises:
        MirrorMissingError: there is no mirror.
    """
    names = open_bare(mirror.path).listall_references()
    matches = filter(None, map(_REPLACED_NAME.fullmatch, names))
    return sorted(Replaced(int(match[1]), match[2]) for match in matches)


def forget_replaced(mirror: Mirror, before: int) -> list[str]:
    """Let go of the tips replaced earlier than *before*, in seconds; returns their commits.

    Raises:
        MirrorMissingError: there is no mirror.
        MirrorBusyError: another process kept writing this mirror.
    """
    with locked_mirror(mirror):
        old = [tip for tip in replaced_tips(mirror) if tip.at < before]
        repository = open_bare(mirror.path)
        for tip in old:
            repository.references.delete(f"{REPLACED}{tip.at}-{tip.commit}")
    return [tip.commit for tip in old]


def _pinned(repository: pygit2.Repository) -> set[str]:
    names = repository.listall_references()
    return {name.removeprefix(_PIN) for name in names if name.startswith(_PIN)}
