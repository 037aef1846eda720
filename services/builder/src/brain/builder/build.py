"""The build: from a source's demand to its published index."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from brain.builder.corpus import CorpusError, read_corpus
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
from brain.gitmirror.history import committed_at
from brain.gitmirror.libgit2 import MirrorCorruptError, MirrorError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import open_snapshot
from brain.gitmirror.tree_walk import TreeTooLargeError
from brain.store.build_session import (
    BuildStart,
    PublishedIndex,
    Session,
    begin_build,
    build_session,
    is_owed,
    publish,
    release_build_lock,
    try_build_lock,
)
from brain.store.errors import FenceLostError, StoreUnavailableError
from brain.telemetry.tracing import span

#: Progress goes out at most four times a second a source.
_PROGRESS_S = 0.25

Send = Callable[[Started | Progress], None]


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
        start = begin_build(session, job.source_id, BUILDER_VERSION)
        outcome = _build(session, start, job, send) if start else Nothing("nothing is owed")
    finally:
        release_build_lock(session, job.source_id)
    if isinstance(outcome, Published) and is_owed(session, job.source_id):
        return Published(outcome.commit, outcome.documents, owed=True)
    return outcome


def _build(session: Session, start: BuildStart, job: Job, send: Send) -> Outcome:
    send(Started(start.project_id, start.fence, start.wanted_seq, start.tip))
    with span("build", project=start.project_id, commit=start.tip):
        try:
            mirror = Mirror(Path(job.mirrors), start.source_id)
            index = _index(mirror, start, _throttled(send))
            with span("build.write", documents=len(index.documents)):
                send(Progress("writing", len(index.documents), len(index.documents)))
                publish(session, start, index)
        except (CorpusError, TreeTooLargeError) as error:
            return Refused(str(error))
        except FenceLostError as error:
            return Overtaken(str(error))
        except MirrorCorruptError as error:
            # A damaged mirror may be mended, a damaged repository is not: attempts are counted.
            return Died(f"The mirror is damaged: {error}")
        except (MirrorError, OSError) as error:
            return Interrupted(str(error))
    return Published(start.tip, len(index.documents), owed=False)


def _index(mirror: Mirror, start: BuildStart, send: Send) -> PublishedIndex:
    began = time.monotonic()
    corpus = read_corpus(open_snapshot(mirror.root, mirror.source_id, start.tip), send)
    return PublishedIndex(
        commit=start.tip,
        branch=start.branch,
        commit_at=datetime.fromtimestamp(committed_at(mirror, start.tip), UTC),
        builder_version=BUILDER_VERSION,
        documents=corpus.documents,
        folders=corpus.folders,
        outside=corpus.outside,
        config=corpus.config,
        counts=corpus.counts,
        left_out=corpus.left_out,
        last_build={
            "kind": "whole",
            "seconds": round(time.monotonic() - began, 3),
            "documentsRead": len(corpus.documents),
        },
    )


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
