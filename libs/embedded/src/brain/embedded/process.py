"""Child processes that never outlive their parent."""

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from brain.embedded.account import Account
from brain.embedded.errors import StartError

PR_SET_PDEATHSIG = 1  # linux/prctl.h
POLL_S = 0.02


class Program(NamedTuple):
    """A server as it is to be run; a value, so it can be started again and again."""

    name: str
    argv: tuple[str, ...]
    #: The whole environment of the process.
    environment: Mapping[str, str]
    #: Given the process id, tells without blocking for long whether it serves.
    is_ready: Callable[[int], bool]
    folder: str = "/"
    #: Asks for a clean end.
    stop_signal: signal.Signals = signal.SIGTERM
    #: Sent when a clean end takes too long; SIGKILL follows.
    abort_signal: signal.Signals = signal.SIGKILL
    #: Sent by the kernel when the parent dies.
    death_signal: signal.Signals = signal.SIGKILL
    #: None runs as ourselves.
    account: Account | None = None
    #: Removed, when empty, after it ended for good.
    run_folders: tuple[Path, ...] = ()


def start(
    program: Program, *, output: int | None = None, keep: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, tied to the life of the calling thread.

    The kernel sends ``death_signal`` when the thread that called this ends, so call it from the
    main thread. Elsewhere than on Linux no such signal exists and the child may outlive a kill -9.

    Args:
        program: what to run.
        output: descriptor for standard output and error; None discards both.
        keep: further descriptors the child inherits.
    """
    account = program.account
    return subprocess.Popen(
        program.argv,
        env=dict(program.environment),
        cwd=program.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if output is None else output,
        stderr=subprocess.STDOUT,
        pass_fds=keep,
        start_new_session=True,
        user=None if account is None else account.uid,
        group=None if account is None else account.gid,
        extra_groups=None if account is None else [],
        # Runs after the account changed, which would clear the signal. # prctl(2)
        preexec_fn=_die_with_parent(os.getpid(), program.death_signal),  # noqa: PLW1509 - one thread
    )


def stop(process: subprocess.Popen[bytes], program: Program, timeout_s: float) -> None:
    """End a process: the clean signal, half the time; the abort signal, the other half; SIGKILL."""
    for number in (program.stop_signal, program.abort_signal):
        if process.poll() is not None:
            return
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout_s / 2)
    if process.poll() is None:
        kill_session(process.pid)
        process.wait()


def tidy(program: Program) -> None:
    """Remove the folders that a program needed only while it ran."""
    for folder in program.run_folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def kill_session(pid: int) -> None:
    """Kill what is left of the session that a child leads; nothing left is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


@contextlib.contextmanager
def running(
    program: Program, log: Path, *, timeout_s: float = 60.0
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program for the length of a block, from ready to ended; its output goes to a file.

    Raises:
        StartError: it ended, or was not ready in time.
    """
    with log.open("ab") as sink:
        process = start(program, output=sink.fileno())
    try:
        _wait_ready(program, process, log, timeout_s)
        yield process
    finally:
        stop(process, program, timeout_s=10.0)
        tidy(program)


def _wait_ready(
    program: Program, process: subprocess.Popen[bytes], log: Path, timeout_s: float
) -> None:
    deadline_s = time.monotonic() + timeout_s
    while not program.is_ready(process.pid):
        if process.poll() is not None:
            raise StartError(program.name, f"ended with {process.returncode}", _tail(log))
        if time.monotonic() > deadline_s:
            raise StartError(program.name, f"said nothing for {timeout_s:.0f} s", _tail(log))
        time.sleep(POLL_S)


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-2000:]


def _die_with_parent(parent: int, number: signal.Signals) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    libc = _libc()

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:  # it died before the kernel knew
            os._exit(1)

    return tie


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)
