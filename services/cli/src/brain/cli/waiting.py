"""Waiting for builds: the status says when it is over, live events say how far it is."""

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Self

from brain.cli.argv import WAIT_S
from brain.cli.errors import CliError
from brain.cli.remote import ProblemError, Remote, UnreachableError

DEFAULT_WAIT_S = float(WAIT_S)
_POLL_S = 0.2
#: Reasons after which nothing will come of waiting.
_HOPELESS = frozenset(
    {
        "branch-gone",
        "branch-name",
        "corrupt",
        "empty",
        "not-a-repository",
        "not-allowed",
        "redirected",
        "sha256",
        "unauthorized",
        "unreachable",
        "unsupported",
        "untrusted",
    }
)

Status = dict[str, Any]


class WaitError(CliError):
    """It took longer than we were asked to wait."""

    code = "still-indexing"

    def __init__(self, project_id: str, wait_s: float) -> None:
        super().__init__(f"{project_id} is still being indexed after {wait_s:.0f} seconds.")


def wait_until(
    remote: Remote, project_id: str, is_over: Callable[[Status], bool], wait_s: float
) -> Status:
    """Wait until a project's status is as wanted, showing progress on a terminal.

    Raises:
        WaitError: it was not within *wait_s* seconds.
    """
    deadline_s = time.monotonic() + wait_s
    with Progress(remote, project_id):
        while True:
            status = remote.get(f"/projects/{project_id}/brain")
            if is_over(status):
                return status
            if time.monotonic() > deadline_s:
                raise WaitError(project_id, wait_s)
            time.sleep(_POLL_S)


def is_settled(status: Status) -> bool:
    """Tell whether a project is indexed, failed, or has nothing to index."""
    if status["state"] in ("queued", "indexing"):
        return False
    return status["state"] != "not-built" or status["reason"] in _HOPELESS


def has_met(status: Status, wanted_seq: int) -> bool:
    """Tell whether a demand is met, or was given up."""
    return bool(status["metSeq"] >= wanted_seq) and status["state"] not in ("queued", "indexing")


def failed(status: Status) -> bool:
    """Tell whether waiting ended without an index of what was asked for."""
    return status["state"] in ("failed", "not-built", "off")


class Progress:
    """A progress bar fed by live events; silent where standard error is no terminal."""

    def __init__(self, remote: Remote, project_id: str) -> None:
        self._remote = remote
        self._project_id = project_id
        self._over = threading.Event()
        self._bar: Any = None

    def __enter__(self) -> Self:
        """Begin to show progress."""
        if sys.stderr.isatty():
            self._bar = _bar()
            task = self._bar.add_task(f"{self._project_id}: fetching", total=None)
            self._bar.start()
            threading.Thread(target=self._follow, args=(task,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away; the thread ends by itself with the stream's next line."""
        self._over.set()
        if self._bar is not None:
            self._bar.stop()

    def _follow(self, task: int) -> None:
        for event in self._events():
            self._bar.update(
                task,
                description=f"{self._project_id}: {event['phase']}",
                completed=event["done"],
                total=event["total"] or None,
            )

    def _events(self) -> "Any":  # noqa: ANN401 - JSON objects as they come
        try:
            with self._remote.lines(f"/projects/{self._project_id}/brain/events") as lines:
                for line in lines:
                    if self._over.is_set():
                        return
                    if line.startswith("data: {") and '"phase"' in line:
                        yield json.loads(line.removeprefix("data: "))
        except (ProblemError, UnreachableError):
            return


def _bar() -> Any:  # noqa: ANN401 - loaded on demand, so its type has no name here
    # Imported here: a command that waits for nothing shows nothing.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.progress import Progress as Bar  # noqa: PLC0415

    return Bar(
        TextColumn("  {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
