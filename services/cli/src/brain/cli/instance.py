"""The data folder of one instance: its locks, its secrets and how to reach it."""

import fcntl
import json
import os
import re
import stat
import time
from pathlib import Path
from typing import NamedTuple

from brain.cli.errors import DataFolderError
from brain.embedded.private_file import read_or_create_secret, write_private

POLL_S = 0.05
NOTED_WITHIN_S = 1.0
TOKEN_PREFIX = "brain_"  # noqa: S105 - secret scanners find our tokens by it
#: Control characters, and bytes that are no UTF-8 as Python holds them.
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class Instance(NamedTuple):
    """A running instance, as ``instance.json`` holds it."""

    rest_url: str
    mcp_url: str
    token: str
    data_folder: str
    #: The supervisor.
    pid: int
    #: When it became ready; UTC, ISO 8601.
    started: str

    def summary(self) -> dict[str, object]:
        """Return what ``brain up`` prints."""
        return {
            "restUrl": self.rest_url,
            "mcpUrl": self.mcp_url,
            "token": self.token,
            "dataDir": self.data_folder,
        }


def make_data_folder(data: Path) -> None:
    """Create the data folder and what it always holds; folders that exist keep their modes.

    As root the folder can be entered by the account that Postgres runs as, but not listed; all
    secrets in it are files of mode 600 in folders of mode 700.

    Raises:
        DataFolderError: it cannot be created or written, belongs to another user, or has a name
            that the configurations of the servers cannot hold.
    """
    if _UNWRITABLE.search(str(data)):
        raise DataFolderError(f"The path of the data folder is no clean text: {str(data)!a}.")
    require_own(data)
    try:
        if not data.exists():
            data.mkdir(parents=True)
            data.chmod(0o711 if os.geteuid() == 0 else 0o700)
        for name in ("secrets", "logs", "mirrors"):
            (data / name).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise DataFolderError(
            f"The data folder {data} cannot be used: {error.strerror}."
        ) from error


def require_own(data: Path) -> None:
    """Refuse another user's data folder; root may use any.

    Raises:
        DataFolderError: it belongs to another user.
    """
    if data.exists() and os.geteuid() not in (0, data.stat().st_uid):
        owner = data.stat().st_uid
        raise DataFolderError(
            f"The data folder {data} belongs to user id {owner}. "
            "Run as that user, or choose another folder with --data."
        )


def api_token(data: Path, chosen: str | None) -> str:
    """Return the chosen API token, else the one kept in the data folder, made once."""
    return chosen or read_or_create_secret(data / "secrets" / "api-token", TOKEN_PREFIX)


def write_instance(data: Path, instance: Instance) -> None:
    """Publish how to reach the instance, to its user alone."""
    content = instance.summary() | {"pid": instance.pid, "started": instance.started}
    write_private(data / "instance.json", json.dumps(content, indent=2) + "\n")


def read_instance(data: Path) -> Instance | None:
    """Return how to reach the instance of a data folder, None when none is ready."""
    try:
        content = json.loads((data / "instance.json").read_text(encoding="utf-8"))
        return Instance(
            content["restUrl"],
            content["mcpUrl"],
            content["token"],
            content["dataDir"],
            content["pid"],
            content["started"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remove_instance(data: Path) -> None:
    """Withdraw ``instance.json``; nothing there is fine."""
    (data / "instance.json").unlink(missing_ok=True)


class Lock:
    """An advisory lock on a file; it is held while any process has its descriptor open.

    Two such locks guard a data folder: ``supervisor.lock`` is the supervisor's alone and holds its
    process id, ``processes.lock`` is inherited by every process it starts. So the second is free
    exactly when all of them ended, whoever was killed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def descriptor(self) -> int:
        """The open descriptor, for a child to inherit.

        Raises:
            ValueError: the lock is not held.
        """
        if self._descriptor is None:
            raise ValueError(self._path)
        return self._descriptor

    def take(self, *, wait_s: float = 0.0) -> bool:
        """Take the lock, waiting at most so long; return whether it is ours."""
        deadline_s = time.monotonic() + wait_s
        while not self._try():
            if time.monotonic() >= deadline_s:
                return False
            time.sleep(POLL_S)
        return True

    def _try(self) -> bool:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def write_pid(self) -> None:
        """Note in the file who holds the lock."""
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, str(os.getpid()).encode(), 0)

    def holder_pid(self) -> int | None:
        """Return the id noted by whoever holds the lock now, None when nobody does."""
        deadline_s = time.monotonic() + NOTED_WITHIN_S
        while self._path.exists() and time.monotonic() < deadline_s:
            if self.take():
                self.release()
                return None
            text = self._path.read_text(encoding="ascii")
            if text.isdecimal() and self._is_open_in(int(text)):
                return int(text)
            time.sleep(POLL_S)  # taken an instant ago, and the id is still the holder's before
        return None

    def release(self) -> None:
        """Give the lock up, unless a child still holds it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def open_in(self) -> list[int]:
        """Return the processes, other than this one, that have the file open; Linux only."""
        pids = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
        return [pid for pid in pids if pid != os.getpid() and self._is_open_in(pid)]

    def _is_open_in(self, pid: int) -> bool:
        if not Path("/proc/self/fd").exists():  # macOS: trust the note
            return True
        try:
            return any(self._is_this(link) for link in Path(f"/proc/{pid}/fd").iterdir())
        except OSError:
            return False

    def _is_this(self, link: Path) -> bool:
        try:
            there, here = link.stat(), self._path.stat()
        except OSError:
            return False
        return stat.S_ISREG(there.st_mode) and os.path.samestat(there, here)


def supervisor_lock(data: Path) -> Lock:
    """Return the lock that the supervisor of a data folder holds."""
    return Lock(data / "supervisor.lock")


def processes_lock(data: Path) -> Lock:
    """Return the lock that every process of a data folder holds."""
    return Lock(data / "processes.lock")
