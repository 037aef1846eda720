"""The build child: takes jobs from a pipe until it is closed. A crash kills nothing but itself."""

import os
import threading
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection

from brain.builder.build import run_build
from brain.builder.job import Job
from brain.telemetry.tracing import Tracing, joined_context, setup_tracing


def serve_builds(pipe: "Connection[object, object]") -> None:
    """Run jobs one after another; ends when the parent closes the pipe or dies."""
    threading.Thread(target=_die_with_parent, daemon=True).start()
    tracing: Tracing | None = None
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        if not isinstance(job, Job):
            return
        tracing = tracing or setup_tracing("brain-builder", job.otlp_endpoint)
        with joined_context(job.trace):
            outcome = run_build(job, pipe.send)
        if tracing:
            tracing.flush()
        pipe.send(outcome)


def _die_with_parent() -> None:
    """End at once when the parent is gone, so that the session's lock is freed."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
