"""A look: fetch one source's remote and record what was found."""

import asyncio
import contextlib
import logging
import time
from pathlib import Path

from brain.gitmirror.branch_name import BranchNameError
from brain.gitmirror.fetch import fetch, make_again, peek
from brain.gitmirror.libgit2 import MirrorError, ObjectMissingError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.mirror_lock import MirrorBusyError
from brain.gitmirror.pins import forget_replaced, pin, pinned, unpin
from brain.gitmirror.remote import LocalRemote, Remote, RemoteError, parse_remote
from brain.gitmirror.remote_access import Credential, RemoteAccess
from brain.gitmirror.tip import SENTENCES, no_tip
from brain.gitmirror.tip import Tip as RemoteTip
from brain.store.demand import Tip
from brain.store.sources import SourceRow
from brain.sync_watcher.settings import Settings
from brain.telemetry.metrics import LAST_LOOK, LOOKS
from brain.telemetry.tracing import span

log = logging.getLogger(__name__)

#: Reason of a source whose mirror a builder could not read.
DAMAGED = "mirror-damaged"
#: Tips that a force push replaced stay readable for 180 days.
REPLACED_KEPT_S = 180 * 24 * 3600


def access_of(settings: Settings) -> RemoteAccess:
    """Return how remotes are reached: whom to trust, and the credential for its one host."""
    credential = settings.git_credential
    return RemoteAccess(
        credential=Credential(*credential) if credential else None,
        ca_file=settings.git_ca_file,
        allowed_roots=settings.allowed_paths,
    )


async def look_at(source: SourceRow, mirrors: Path, access: RemoteAccess) -> Tip:
    """Bring a source's mirror up to its branch, off the event loop; never raises.

    The found tip is pinned before anyone is told of it.
    """
    with span("fetch", project=source.project_id):
        tip = await asyncio.to_thread(_fetch, source, Mirror(mirrors, source.id), access)
    LOOKS.labels("ok" if tip.commit else tip.reason).inc()
    if tip.commit:
        LAST_LOOK.set_to_current_time()
    sentence = " ".join(part for part in (SENTENCES[tip.reason], tip.detail) if part)
    return Tip(tip.branch, tip.commit or "", tip.reason, sentence)


def _keep(mirror: Mirror, commits: set[str]) -> None:
    """Pin what the index and its successor use, and let go of older pins and replaced tips."""
    for commit in commits:
        with contextlib.suppress(ObjectMissingError):
            pin(mirror, commit)
    for commit in set(pinned(mirror)) - commits:
        unpin(mirror, commit)
    forget_replaced(mirror, int(time.time()) - REPLACED_KEPT_S)


def is_local(source: SourceRow) -> bool:
    """Tell whether a source's remote is a path on this machine."""
    try:
        return isinstance(parse_remote(source.remote), LocalRemote)
    except RemoteError:
        return False


async def is_unmoved(source: SourceRow, access: RemoteAccess) -> bool:
    """Tell whether a local repository is surely where it was seen last, at the price of a peek."""
    if source.reason or source.remote_reason or not source.tip:
        return False
    return await asyncio.to_thread(_is_at_tip, source, access)


def _is_at_tip(source: SourceRow, access: RemoteAccess) -> bool:
    try:
        tip = peek(parse_remote(source.remote), source.followed_branch, access)
    except (RemoteError, BranchNameError, OSError):
        return False
    return (tip.commit, tip.branch) == (source.tip, source.branch)


def _fetch(source: SourceRow, mirror: Mirror, access: RemoteAccess) -> RemoteTip:
    try:
        remote: Remote = parse_remote(source.remote)
        bring = make_again if source.reason == DAMAGED else fetch
        tip = bring(mirror, remote, source.followed_branch, access)
        if tip.commit and tip.commit != source.tip:
            _keep(mirror, {tip.commit, source.indexed_commit} - {""})
    except (RemoteError, BranchNameError, MirrorBusyError, MirrorError, OSError) as error:
        log.warning(
            "look failed",
            extra={"action": "look", "project": source.project_id, "error": str(error)},
        )
        return no_tip(source.followed_branch, "unreachable", str(error)[:300])
    return tip
