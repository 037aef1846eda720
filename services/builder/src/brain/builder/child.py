"""The build child: takes jobs from a pipe until it is closed. A crash kills nothing but itself."""

import gc
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection

from brain.builder.build import run_build
from brain.builder.job import Died, FillJob, Job, Outcome
from brain.telemetry.logs import setup_logging
from brain.telemetry.tracing import Tracing, joined_context, setup_tracing

log = logging.getLogger(__name__)


def serve_builds(pipe: "Connection[object, object]") -> None:
    """Run jobs one after another; ends when the parent closes the pipe or dies."""
    threading.Thread(target=_die_with_parent, daemon=True).start()
    tracing: Tracing | None = None
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        if isinstance(job, FillJob):
            pipe.send(_filled(job))
            continue
        if not isinstance(job, Job):
            return
        setup_logging("brain-builder", job.log_level)
        tracing = tracing or setup_tracing("brain-builder", job.otlp_endpoint)
        with joined_context(job.trace), _uncollected():
            outcome = _outcome_of(job, pipe)
        if tracing:
            tracing.flush()
        pipe.send(outcome)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Collect garbage after a build and not during it.

    A corpus is millions of objects in no cycle, which the collector would look at again and again.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()


def _outcome_of(job: Job, pipe: "Connection[object, object]") -> Outcome:
    """Run one build; an error that nobody foresaw is logged and counts as a death."""
    try:
        return run_build(job, pipe.send)
    except Exception as error:
        log.exception("build broke", extra={"action": "build", "source": job.source_id})
        return Died(f"The build broke: {type(error).__name__}.")


def _filled(job: FillJob) -> Outcome:
    """Fill in vectors for one turn; what nobody foresaw is logged and counts as a death."""
    # Imported here: what builds has no use for it.
    from brain.builder.filling import lower_priority, run_fill  # noqa: PLC0415

    setup_logging("brain-builder", job.log_level)
    lower_priority()
    try:
        return run_fill(job)
    except Exception as error:
        log.exception("filling in broke", extra={"action": "fill", "source": job.source_id})
        return Died(f"Filling in vectors broke: {type(error).__name__}.")


def _die_with_parent() -> None:
    """End at once when the parent is gone, so that the session's lock is freed."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
