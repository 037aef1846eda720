"""Ancestry: how the commits of a mirror descend from each other, and what a short id means."""

import re

import pygit2

from brain.gitmirror.libgit2 import MirrorMissingError, open_bare
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.tip_ref import TIP_REF, descends, holds_commit

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HEX = re.compile(r"[0-9a-f]{7,64}")


class CommitError(ValueError):
    """The commit cannot be used."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class CommitMalformedError(CommitError):
    """A commit is given by 7 to 64 hexadecimal digits."""


class CommitUnknownError(CommitError):
    """There is no such commit in the history of this repository."""


class CommitAmbiguousError(CommitError):
    """Several commits begin with these digits: give more of them."""


def is_ancestor(mirror: Mirror, ancestor: str, commit: str) -> bool:
    """Tell whether *commit* is *ancestor* or descends from it; both are 40 hex digits.

    False as well when one of them is not here, or the history between them is not whole.

    Raises:
        MirrorMissingError: there is no mirror.
    """
    if not mirror.path.is_dir():
        raise MirrorMissingError
    known = _COMMIT.fullmatch(ancestor) and _COMMIT.fullmatch(commit)
    return known is not None and descends(mirror.path, commit, ancestor)


def resolve_commit(mirror: Mirror, digits: str) -> str:
    """Return the commit that *digits*, as a caller gave them, stand for.

    Only commits that the followed branch, a pin or a replaced tip reaches count: a local
    repository's object files bring its other branches along, and those are nobody's to read.

    Raises:
        CommitMalformedError: not 7 to 64 hex digits of either case.
        CommitUnknownError: no such commit is reached.
        CommitAmbiguousError: more than one is.
        MirrorMissingError: there is no mirror.
    """
    prefix = digits.lower()
    if not _HEX.fullmatch(prefix):
        raise CommitMalformedError
    repository = open_bare(mirror.path)
    candidates = _candidates(mirror, repository, prefix)
    anchors = _anchors(repository)
    reached = [commit for commit in candidates if _reached(mirror, anchors, commit)]
    if not reached:
        raise CommitUnknownError
    if len(reached) > 1:
        raise CommitAmbiguousError
    return reached[0]


def _candidates(mirror: Mirror, repository: pygit2.Repository, prefix: str) -> list[str]:
    try:
        found = [str(repository.expand_id(prefix))]
    except KeyError:
        return []
    except ValueError:
        # Ambiguous, perhaps with objects that are no commits; too long ids end here as well.
        ids = map(str, repository.odb)
        found = sorted({oid for oid in ids if oid.startswith(prefix)})
    return [oid for oid in found if holds_commit(mirror.path, oid)]


def _anchors(repository: pygit2.Repository) -> list[str]:
    """List what keeps commits in reach: the tip first, since it reaches nearly all of them."""
    names = sorted(repository.listall_references(), key=lambda name: (name != TIP_REF, name))
    targets = (repository.references[name].target for name in names)
    return list(dict.fromkeys(map(str, targets)))


def _reached(mirror: Mirror, anchors: list[str], commit: str) -> bool:
    return commit in anchors or any(descends(mirror.path, anchor, commit) for anchor in anchors)
