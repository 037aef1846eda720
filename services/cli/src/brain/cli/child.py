"""One supervised process and what is known of it."""

import os
import signal
import subprocess
from collections import deque
from typing import Literal

from brain.embedded.process import Program

State = Literal["starting", "ready", "waiting", "ended"]
TAIL_LINES = 12
LONGEST_LINE = 64 * 1024


class Child:
    """A program's present process, its state and its last lines.

    ``starting`` until it is ready, ``waiting`` from its death to the next start, ``ended`` when it
    is not to be started again.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.state: State = "ended"
        self.process: subprocess.Popen[bytes] | None = None
        #: Where its output arrives; None once that is closed.
        self.pipe: int | None = None
        #: Monotonic times, in seconds.
        self.started_s = 0.0
        self.due_s = 0.0
        self.delay_s = 0.0
        #: Whether it is started again when it dies; so from the first time it was ready.
        self.wanted = False
        self.restarts = 0
        self.exit_code: int | None = None
        self.tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._partial = b""

    @property
    def name(self) -> str:
        """The program's name."""
        return self.program.name

    @property
    def pid(self) -> int | None:
        """The id of the process that runs, None when none does."""
        return None if self.process is None else self.process.pid

    def take(self, octets: bytes) -> list[str]:
        """Take output and return the lines it completes; an endless line is cut."""
        *whole, self._partial = (self._partial + octets).split(b"\n")
        if len(self._partial) > LONGEST_LINE:
            whole.append(self._partial)
            self._partial = b""
        lines = [line.decode("utf-8", "replace").rstrip("\r") for line in whole]
        self.tail.extend(lines)
        return lines

    def flush(self) -> list[str]:
        """Return the last line when no line end followed it."""
        rest, self._partial = self._partial, b""
        lines = [rest.decode("utf-8", "replace")] if rest else []
        self.tail.extend(lines)
        return lines

    def has_ended(self) -> bool:
        """Tell whether the process is gone, leaving it to be reaped."""
        if self.process is None:
            return False
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self.process.poll() is not None
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, options) is not None


def describe_exit(code: int) -> str:
    """Say how a process ended."""
    if code >= 0:
        return f"ended with {code}"
    return f"was killed by {signal.Signals(-code).name}"
