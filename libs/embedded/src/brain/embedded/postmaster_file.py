"""The lock file that a running Postgres keeps in its cluster (``postmaster.pid``).

Lines: process id, data directory, start time, port, socket folder, address, shared memory key,
status. Source: src/include/utils/pidfile.h of Postgres 18.
"""

import os
from pathlib import Path

STATUS_LINE = 7


def serves(cluster: Path, pid: int) -> bool:
    """Tell whether the postmaster with that id takes connections."""
    lines = _lines(cluster)
    return len(lines) > STATUS_LINE and lines[0] == str(pid) and lines[STATUS_LINE] == "ready"


def yield_recycled_pid(cluster: Path) -> None:
    """Let a start succeed when a killed postmaster's id now belongs to some other program.

    Postgres refuses to start while any process bears the id in its lock file, which is common in
    containers, where ids repeat. It accepts its parent's id, so ours is written there; the shared
    memory key stays, and with it the check for surviving sessions.
    """
    lines = _lines(cluster)
    if not lines or not lines[0].isdecimal() or not _is_another_program(int(lines[0])):
        return
    path = cluster / "postmaster.pid"
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW)
    with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - a descriptor, not a path
        file.write("\n".join([str(os.getpid()), *lines[1:], ""]))


def _lines(cluster: Path) -> list[str]:
    try:
        text = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line.strip() for line in text.splitlines()]


def _is_another_program(pid: int) -> bool:
    try:
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return name.strip() != "postgres"
