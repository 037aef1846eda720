"""Services as processes of their own, to be stopped, paused and killed by tests."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_STOP_S = 30.0


class ServiceProcess:
    """One service that runs in a session, and so a process group, of its own.

    Args:
        argv: what Python runs, such as ``("-m", "brain.builder")``.
        environment: its whole ``BRAIN_*`` environment; ``PATH`` is added, and no vectors are made.
        log: receives its standard error; restarts append.
    """

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self.argv = tuple(argv)
        self.log = log
        path = os.environ["PATH"]  # noqa: TID251
        # a model at work behind the builds would slow every test that is not about it
        self._environment = {"PATH": path, "BRAIN_EMBEDDINGS": "none", **environment}
        self._process = self._start()

    @property
    def pid(self) -> int:
        """Process id of the service itself."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the service itself has not ended."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """How the service ended; None while it runs."""
        return self._process.poll()

    def family(self) -> list[int]:
        """Return the ids of every process of its group: the service first, then its children."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                if os.getpgid(int(entry.name)) == self.pid:
                    found.append(int(entry.name))
        return sorted(found, key=lambda pid: (pid != self.pid, pid))

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the service alone, not to its children."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def send_group(self, number: signal.Signals) -> None:
        """Send a signal to the service and all its children."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def stop(self) -> float:
        """Ask it to end and wait; returns the seconds that took.

        Raises:
            TimeoutExpired: it took longer than 30 seconds.
        """
        began = time.monotonic()
        self.send_group(signal.SIGCONT)
        self.send(signal.SIGTERM)
        self._process.wait(_STOP_S)
        return time.monotonic() - began

    def kill(self) -> None:
        """End the whole group at once."""
        self.send_group(signal.SIGKILL)
        self._process.wait(_STOP_S)

    def restart(self) -> None:
        """Start it again after it ended."""
        self._process.wait(_STOP_S)
        self._process = self._start()

    def log_lines(self) -> list[dict[str, Any]]:
        """Return its log so far, line by line as JSON objects.

        Raises:
            ValueError: a line is no JSON object.
        """
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def _start(self) -> "subprocess.Popen[bytes]":
        with self.log.open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, *self.argv],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )


@contextlib.contextmanager
def service_process(
    argv: Sequence[str], environment: Mapping[str, str], log: Path
) -> Iterator[ServiceProcess]:
    """Run a service for the length of a block; whatever is left of its group is killed."""
    service = ServiceProcess(argv, environment, log)
    try:
        yield service
    finally:
        service.send_group(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            service._process.wait(5)  # noqa: SLF001
