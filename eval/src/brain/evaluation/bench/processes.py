"""Processes: what a tree of them holds in memory and how much processor time it took.

Source: proc(5), ``smaps_rollup`` and ``stat``.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

MIB = 1024 * 1024
_SAMPLED_EVERY_S = 0.05
_KIB = 1024


def family(root: int) -> set[int]:
    """Return a process and all its descendants that run now."""
    children: dict[int, list[int]] = {}
    for pid, fields in _stats():
        children.setdefault(int(fields[1]), []).append(pid)
    found, waiting = set(), [root]
    while waiting:
        pid = waiting.pop()
        found.add(pid)
        waiting += children.get(pid, ())
    return found


def pss_bytes(pids: Iterable[int]) -> int:
    """Return the proportional set size of processes together; those that ended hold nothing."""
    return sum(map(_pss_bytes, pids))


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time that processes took so far, their own and not their children's."""
    wanted = set(pids)
    ticks = sum(int(f[11]) + int(f[12]) for pid, f in _stats() if pid in wanted)
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def peak_of(pids: Callable[[], Iterable[int]]) -> Iterator[list[int]]:
    """Watch the memory of changing processes for the length of a block.

    Yields:
        A list that holds the peak, in bytes, once the block has ended.
    """
    peak = [0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_SAMPLED_EVERY_S):
            peak[0] = max(peak[0], pss_bytes(pids()))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()


def _stats() -> Iterator[tuple[int, list[str]]]:
    """Yield each process with the fields of its ``stat`` that follow its name."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            text = (entry / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        yield int(entry.name), text.rpartition(")")[2].split()


def _pss_bytes(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return 0
    lines = (line.split() for line in text.splitlines())
    return next((int(fields[1]) * _KIB for fields in lines if fields[0] == "Pss:"), 0)
