"""The build: from a source's demand to its published index."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

from brain.builder.corpus import CorpusError
from brain.builder.incremental import NeedsWholeError, build_incrementally
from brain.builder.job import (
    Died,
    Interrupted,
    Job,
    Nothing,
    Outcome,
    Overtaken,
    Progress,
    Published,
    Refused,
    Started,
)
from brain.builder.version import BUILDER_VERSION
from brain.builder.whole import build_whole
from brain.gitmirror.libgit2 import MirrorCorruptError, MirrorError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.tree_walk import TreeTooLargeError
from brain.store.build_session import (
    BuildStart,
    IndexUpdate,
    Session,
    StillOwed,
    begin_build,
    build_session,
    publish,
    release_build_lock,
    still_owed,
    try_build_lock,
)
from brain.store.errors import FenceLostError, StoreUnavailableError
from brain.telemetry.tracing import span

log = logging.getLogger(__name__)

#: Progress goes out at most four times a second a source.
_PROGRESS_S = 0.25

Send = Callable[[Started | Progress], None]
_NOT_OWED = StillOwed(fresh=False, background=False)


def run_build(job: Job, send: Send) -> Outcome:
    """Run the build a source is owed, if it is owed one and no other runs.

    The database is asked what to do; the job only says where to look. Whatever goes wrong becomes
    an outcome: final when it is a function of the commit, retried when the infrastructure failed.
    """
    try:
        with build_session(job.database_url) as session:
            return _locked_build(session, job, send)
    except StoreUnavailableError as error:
        return Interrupted(str(error))


def _locked_build(session: Session, job: Job, send: Send) -> Outcome:
    if not try_build_lock(session, job.source_id):
        return Nothing("another build holds the lock")
    try:
        start = begin_build(session, job.source_id, BUILDER_VERSION, background=job.background)
        outcome = _build(session, start, job, send) if start else Nothing("nothing is owed")
    finally:
        release_build_lock(session, job.source_id)
    if isinstance(outcome, Published):
        owed = still_owed(session, job.source_id)
        return Published(outcome.commit, outcome.documents, owed)
    return outcome


def _build(session: Session, start: BuildStart, job: Job, send: Send) -> Outcome:
    send(Started(start.project_id, start.fence, start.wanted_seq, start.tip))
    mirror = Mirror(Path(job.mirrors), start.source_id)
    with span("build", project=start.project_id, commit=start.tip):
        try:
            update = _update(session, start, mirror, _throttled(send), job.model)
        except (CorpusError, TreeTooLargeError) as error:
            return Refused(str(error))
        except FenceLostError as error:
            return Overtaken(str(error))
        except MirrorCorruptError as error:
            # A damaged mirror may be mended, a damaged repository is not: attempts are counted.
            return Died(f"The mirror is damaged: {error}", "mirror-damaged")
        except (MirrorError, OSError) as error:
            return Interrupted(str(error))
    return Published(start.tip, update.counts["documents"], _NOT_OWED)


def _update(
    session: Session, start: BuildStart, mirror: Mirror, send: Send, model: str
) -> IndexUpdate:
    """Build incrementally where that is allowed; what cannot be, is built whole in the same job."""
    began = time.monotonic()
    try:
        update = build_incrementally(session, start, mirror, send)
    except NeedsWholeError as why:
        log.info("building whole", extra={"action": "build", "reason": str(why)})
    else:
        return _publish(session, start, update, (began, model), send)
    whole = build_whole(session, start, mirror, send)
    return _publish(session, start, whole, (began, model), send)


def _publish(
    session: Session, start: BuildStart, update: IndexUpdate, how: tuple[float, str], send: Send
) -> IndexUpdate:
    began, model = how
    with span("build.write", documents=len(update.documents)):
        count = len(update.documents)
        send(Progress("writing", count, count))
        update.last_build["seconds"] = round(time.monotonic() - began, 3)
        publish(session, start, update, model)
    return update


def _throttled(send: Send) -> Send:
    """Pass progress on at most four times a second; other messages always."""
    last = 0.0

    def throttled(message: Started | Progress) -> None:
        nonlocal last
        moment = time.monotonic()
        if isinstance(message, Progress) and moment - last < _PROGRESS_S:
            return
        last = moment
        send(message)

    return throttled
