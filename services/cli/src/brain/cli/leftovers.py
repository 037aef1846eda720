"""Processes that a killed supervisor left behind."""

import contextlib
import os
import signal
import time

from brain.cli.errors import StartupError
from brain.cli.instance import Lock

#: Their clean end, which the kernel asked for when the supervisor died, has this long.
CLEAN_END_S = 15.0
KILLED_END_S = 5.0
LOOKS_APART_S = 0.1


def end_leftovers(processes: Lock) -> None:
    """Take the lock that all processes of a data folder hold, ending those that will not.

    Raises:
        StartupError: they survive even SIGKILL, or belong to somebody else.
    """
    if processes.take(wait_s=CLEAN_END_S):
        return
    kill_holders(processes)
    if not processes.take(wait_s=KILLED_END_S):
        pids = ", ".join(map(str, processes.open_in())) or "unknown"
        raise StartupError(f"Processes of an earlier start do not end (process ids: {pids}).")


def kill_holders(processes: Lock) -> None:
    """Kill every process that holds the lock."""
    first = set(processes.open_in())
    time.sleep(LOOKS_APART_S)
    # Whoever only tries the lock has it open for an instant.
    for pid in first.intersection(processes.open_in()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
