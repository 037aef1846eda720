"""Prefixed log lines of every process: to a rotated file, and to a terminal in the foreground."""

import contextlib
import itertools
import os
import time
from pathlib import Path
from typing import TextIO

ROTATE_BYTES = 5 * 1024 * 1024
KEPT_FILES = 3
NAME_WIDTH = 8
COLORS = {"postgres": "36", "nats": "35", "host": "32", "migrate": "33", "brain": "1"}
#: Each start and stop says these; the file has them, a terminal does not need them.
ROUTINE = ("LOG:  ", "[INF] ", "[WRN] Plaintext passwords")
#: Control characters, from the repositories' names for instance, must not reach a terminal.
_SHOWN = {number: f"\\x{number:02x}" for number in (*range(9), *range(10, 32), *range(127, 160))}


class LogFile:
    """A file of lines that starts anew at 5 MiB; the three before it are kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = self._open()

    def write(self, line: str) -> None:
        """Append a line and hand it to the system; a full disk loses it."""
        with contextlib.suppress(OSError):
            if os.fstat(self._descriptor).st_size > ROTATE_BYTES:
                self._rotate()
            os.write(self._descriptor, line.encode("utf-8", "replace") + b"\n")

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def _rotate(self) -> None:
        names = [self._path.with_name(f"{self._path.name}.{n}") for n in range(1, KEPT_FILES + 1)]
        for newer, older in reversed(list(itertools.pairwise([self._path, *names]))):
            if newer.exists():
                newer.replace(older)
        full, self._descriptor = self._descriptor, self._open()
        os.close(full)


class LogLines:
    """Takes the lines of every process and writes them where they belong.

    Args:
        file: gets every line with its time (UTC).
        terminal: gets the lines that are not routine; None when detached.
        colored: whether names are coloured there.
    """

    def __init__(self, file: LogFile, terminal: TextIO | None, *, colored: bool) -> None:
        self._file = file
        self._terminal = terminal
        self._colored = colored

    def write(self, name: str, line: str) -> None:
        """Write one line of a process."""
        safe = line.translate(_SHOWN)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self._file.write(f"{stamp} {name:<{NAME_WIDTH}} {safe}")
        if not is_routine(line):
            self._show(f"{self._prefix(name)} {safe}")

    def _show(self, text: str) -> None:
        try:
            if self._terminal is not None:
                print(text, file=self._terminal, flush=True)
        except OSError:
            self._terminal = None  # it was closed; the file goes on

    def _prefix(self, name: str) -> str:
        padded = f"{name:<{NAME_WIDTH}} │"
        return f"\x1b[{COLORS.get(name, '0')}m{padded}\x1b[0m" if self._colored else padded


def is_routine(line: str) -> bool:
    """Tell whether a line only says that a server did what it always does."""
    text = line.partition("] ")[2] if line[:1] == "[" and line[1:2].isdigit() else line
    return text.startswith(ROUTINE) or not text.strip()
