"""Ending an instance from outside."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from brain.cli.errors import StopError
from brain.cli.instance import processes_lock, remove_instance, require_own, supervisor_lock
from brain.cli.leftovers import kill_holders

#: A little more than the supervisor grants its processes together.
CLEAN_END_S = 35.0
KILLED_END_S = 5.0
REAPED_S = 3.0
POLL_S = 0.05


def stop_instance(data: Path) -> bool:
    """End the instance of a data folder; return once its last process is gone.

    Processes that a killed supervisor left behind are ended as well.

    Returns:
        False when nothing ran.

    Raises:
        DataFolderError: it belongs to another user.
        StopError: the supervisor does, or something survived SIGKILL.
    """
    require_own(data)
    if not data.is_dir() or _nothing_runs(data):
        return False
    pid = supervisor_lock(data).holder_pid()
    if pid is not None:
        _terminate(pid)
    if not _within(CLEAN_END_S, lambda: _nothing_runs(data)):
        _kill(data)
    if pid is not None:
        # It ended, yet its id stays until its parent notices, which some never do.
        _within(REAPED_S, lambda: _is_gone(pid))
    remove_instance(data)
    return True


def _terminate(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    except PermissionError as error:
        raise StopError(
            f"Process {pid} belongs to another user; stop Brain as that one."
        ) from error


def _kill(data: Path) -> None:
    pid = supervisor_lock(data).holder_pid()
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    kill_holders(processes_lock(data))
    if not _within(KILLED_END_S, lambda: _nothing_runs(data)):
        pids = ", ".join(map(str, processes_lock(data).open_in())) or "unknown"
        raise StopError(f"Some processes do not end (process ids: {pids}).")


def _within(timeout_s: float, reached: Callable[[], bool]) -> bool:
    deadline_s = time.monotonic() + timeout_s
    while not reached():
        if time.monotonic() > deadline_s:
            return False
        time.sleep(POLL_S)
    return True


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return True  # the number went to another user's process
    return False


def _nothing_runs(data: Path) -> bool:
    for lock in (supervisor_lock(data), processes_lock(data)):
        if not lock.take():
            return False
        lock.release()
    return True
