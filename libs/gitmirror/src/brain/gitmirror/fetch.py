"""Fetches: bring a mirror up to the branch it follows."""

import logging
import time
from pathlib import Path

import pygit2

from brain.gitmirror.branch_name import checked_branch
from brain.gitmirror.git_command import Finished
from brain.gitmirror.libgit2 import MirrorCorruptError, MirrorError, ObjectMissingError, open_bare
from brain.gitmirror.local_repository import (
    LocalRepositoryError,
    list_local_branches,
    locate,
    object_directories,
    peek_local,
    shallow_commits,
)
from brain.gitmirror.mirror import (
    Mirror,
    beside,
    create,
    discard,
    ensure,
    locked_mirror,
    swap,
    sweep,
)
from brain.gitmirror.network import failed, fetch_network, list_branches, peek_network
from brain.gitmirror.object_links import SourceMovedError, link_objects
from brain.gitmirror.remote import LocalRemote, Remote
from brain.gitmirror.remote_access import RemoteAccess
from brain.gitmirror.shallow import settle_shallow
from brain.gitmirror.tip import Tip, no_tip
from brain.gitmirror.tip_ref import TIP_REF, advance_tip, holds_commit, tip_commit

_log = logging.getLogger(__name__)

_INCOMING = "refs/brain/incoming"
_NO_ACCESS = RemoteAccess()


def peek(remote: Remote, branch: str | None, access: RemoteAccess = _NO_ACCESS) -> Tip:
    """Say where *branch* of *remote*, or its default branch, stands, copying nothing.

    Raises:
        BranchNameError: *branch* is not a name that can be followed.
    """
    if branch is not None:
        checked_branch(branch)
    if isinstance(remote, LocalRemote):
        return peek_local(remote.path, branch, access.allowed_roots)
    return peek_network(remote, branch, access)


def branches(remote: Remote, access: RemoteAccess = _NO_ACCESS) -> list[str]:
    """Name the branches of *remote* that can be followed, sorted; empty when it cannot tell."""
    if isinstance(remote, LocalRemote):
        return list_local_branches(remote.path, access.allowed_roots)
    return list_branches(remote, access)


def fetch(
    mirror: Mirror, remote: Remote, branch: str | None, access: RemoteAccess = _NO_ACCESS
) -> Tip:
    """Bring the mirror up to *branch* of *remote*, or to its default branch.

    Nothing is transferred when the branch has not moved. Only the followed branch is fetched over
    the network; a local repository's object files come whole, which costs no disk where they can
    be hard-linked. A mirror whose tip cannot be read afterwards is made again beside the damaged
    one and put in its place.

    Returns:
        The tip the mirror holds, or the reason why there is none; the mirror then keeps its
        former tip.

    Raises:
        BranchNameError: *branch* is not a name that can be followed.
        MirrorBusyError: another process kept writing this mirror.
        OSError: the disk is full or not writable.
    """
    seen = peek(remote, branch, access)
    if seen.commit is None:
        return seen
    with locked_mirror(mirror, access.deadlines.lock_s):
        if _is_at(mirror, seen.commit):
            return seen
        ensure(mirror)
        tip = _bring(mirror.path, remote, seen, access)
        if tip.commit is None and (tip.reason == "corrupt" or not _is_sound(mirror.path)):
            _log.warning("mirror made again", extra={"source_id": mirror.source_id})
            tip = _make_again(mirror, remote, seen, access)
    return tip


def make_again(
    mirror: Mirror, remote: Remote, branch: str | None, access: RemoteAccess = _NO_ACCESS
) -> Tip:
    """Make the mirror again from *remote*, for a reader that met a damaged object.

    The damaged mirror stays readable until its successor is complete. Pins whose commits the
    remote still gives, or whose objects can be taken over from the damaged mirror, are kept.

    Raises:
        As fetch.
    """
    seen = peek(remote, branch, access)
    if seen.commit is None:
        return seen
    with locked_mirror(mirror, access.deadlines.lock_s):
        return _make_again(mirror, remote, seen, access)


def _is_at(mirror: Mirror, commit: str) -> bool:
    try:
        repository = open_bare(mirror.path)
    except MirrorError:
        return False
    return tip_commit(repository) == commit and _is_sound(mirror.path)


def _is_sound(path: Path) -> bool:
    try:
        tip = tip_commit(open_bare(path))
    except MirrorError:
        return False
    return tip is None or holds_commit(path, tip)


def _bring(path: Path, remote: Remote, seen: Tip, access: RemoteAccess) -> Tip:
    try:
        if isinstance(remote, LocalRemote):
            return _bring_local(path, remote, seen, access)
        finished = fetch_network(remote, str(path), seen.branch, _INCOMING, access)
        if finished.status != 0 or finished.timed_out:
            sweep(path)
            return _fetch_failed(seen, finished, access)
        return _arrived(path, seen.branch)
    except (MirrorCorruptError, ObjectMissingError) as error:
        return no_tip(seen.branch, "corrupt", str(error))


def _fetch_failed(seen: Tip, finished: Finished, access: RemoteAccess) -> Tip:
    if "couldn't find remote ref" in finished.stderr:
        return no_tip(seen.branch, "branch-gone")
    return failed(seen.branch, finished, access)


def _bring_local(path: Path, remote: LocalRemote, seen: Tip, access: RemoteAccess) -> Tip:
    try:
        source = locate(remote.path, access.allowed_roots)
        link_objects(object_directories(source), path / "objects")
        settle_shallow(path, shallow_commits(source))
    except LocalRepositoryError as error:
        return no_tip(seen.branch, error.reason)
    except SourceMovedError as error:
        return no_tip(seen.branch, "unreachable", str(error))
    return _land(path, seen.branch, seen.commit or "")


def _arrived(path: Path, branch: str) -> Tip:
    repository = open_bare(path)
    try:
        commit = str(repository.references[_INCOMING].target)
    except KeyError:
        raise ObjectMissingError(_INCOMING) from None
    tip = _land(path, branch, commit)
    repository.references.delete(_INCOMING)
    return tip


def _land(path: Path, branch: str, commit: str) -> Tip:
    advance_tip(path, commit, int(time.time()))
    return Tip(branch, commit)


def _make_again(mirror: Mirror, remote: Remote, seen: Tip, access: RemoteAccess) -> Tip:
    successor = beside(mirror.path)
    create(successor)
    try:
        tip = _bring(successor, remote, seen, access)
        if tip.commit is not None:
            _take_over(mirror.path, successor)
            swap(mirror.path, successor)
    finally:
        discard(successor)
    return tip


def _take_over(former: Path, successor: Path) -> None:
    """Carry the references of *former* whose commits *successor* holds, and log the others."""
    repository = open_bare(successor)
    for name, commit in _references(former):
        if name in (TIP_REF, _INCOMING):
            continue
        if holds_commit(successor, commit):
            repository.references.create(name, pygit2.Oid(hex=commit), force=True)
        else:
            _log.warning("pin lost with a damaged mirror", extra={"ref": name})


def _references(path: Path) -> list[tuple[str, str]]:
    try:
        return [(ref.name, str(ref.target)) for ref in open_bare(path).references.iterator()]
    except (MirrorError, pygit2.GitError):
        return []
