"""Mirror locks: one writer a mirror, across threads and processes."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

_POLL_S = 0.05


class MirrorBusyError(Exception):
    """Another process is writing the mirror of this repository."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


@contextlib.contextmanager
def locked(path: Path, wait_s: float) -> Iterator[None]:
    """Hold the lock file at *path*, waiting at most *wait_s* seconds for it.

    The kernel drops the lock with its holder, so a killed writer leaves nothing to clean up. A
    holder may delete the file. Not re-entrant: a second call in a thread waits for the first.

    Raises:
        MirrorBusyError: it was not free in time.
    """
    descriptor = _hold(path, time.monotonic() + wait_s)
    try:
        yield
    finally:
        os.close(descriptor)


def _hold(path: Path, deadline: float) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _acquire(descriptor, deadline)
        except BaseException:
            os.close(descriptor)
            raise
        if _is_current(descriptor, path):
            return descriptor
        os.close(descriptor)


def _is_current(descriptor: int, path: Path) -> bool:
    # The former holder may have deleted the file: its lock then excludes nobody.
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _acquire(descriptor: int, deadline: float) -> None:
    while True:
        try:
            # flock, not lockf: a record lock would not keep two threads of one process apart.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise MirrorBusyError from None
            time.sleep(_POLL_S)
        else:
            return
