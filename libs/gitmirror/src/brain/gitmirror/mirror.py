"""Mirrors: bare copies of the repositories that sources follow, as directories on disk."""

import contextlib
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from brain.gitmirror.mirror_lock import locked
from brain.gitmirror.tip_ref import TIP_REF

#: Longest wait for another process that writes the same mirror; seconds.
LOCK_S = 60.0
_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\thooksPath = /dev/null
\tlogAllRefUpdates = false
[gc]
\tauto = 0
\tpruneExpire = never
[maintenance]
\tauto = false
"""


class Mirror(msgspec.Struct, frozen=True):
    """Where the mirror of one source lies."""

    root: Path
    source_id: int

    @property
    def path(self) -> Path:
        """Return the bare repository's directory."""
        return self.root / f"{self.source_id}.git"

    @property
    def parsed(self) -> Path:
        """Return the file in which builders keep what they parsed; it goes with the mirror."""
        return self.root / f"{self.source_id}.parsed"

    @property
    def lock(self) -> Path:
        """Return the file whose lock its writers hold."""
        return self.root / f"{self.source_id}.lock"


def mirrored_sources(root: Path) -> set[int]:
    """Return the ids of the sources that have a mirror, or what builders parsed, under *root*."""
    found = (*root.glob("*.git"), *root.glob("*.parsed"))
    return {int(path.stem) for path in found if path.stem.isascii() and path.stem.isdigit()}


def remove(mirror: Mirror, wait_s: float = LOCK_S) -> None:
    """Delete the mirror and what was parsed of it; what is not there is no error.

    Raises:
        MirrorBusyError: another process kept writing this mirror.
    """
    with locked_mirror(mirror, wait_s):
        discard(mirror.path)
        # SQLite keeps what it has not written back yet in two files beside its own.
        for suffix in ("", "-wal", "-shm"):
            mirror.parsed.with_name(f"{mirror.parsed.name}{suffix}").unlink(missing_ok=True)
        mirror.lock.unlink()


@contextlib.contextmanager
def locked_mirror(mirror: Mirror, wait_s: float = LOCK_S) -> Iterator[None]:
    """Hold the mirror for writing: fetches, pins and repacks exclude each other.

    Raises:
        MirrorBusyError: another process kept writing this mirror.
    """
    mirror.root.mkdir(parents=True, exist_ok=True)
    with locked(mirror.lock, wait_s):
        yield


def ensure(mirror: Mirror) -> None:
    """Make the mirror if there is none, else clear what a killed writer left in it."""
    if mirror.path.is_dir():
        sweep(mirror.path)
        return
    temporary = beside(mirror.path)
    create(temporary)
    temporary.rename(mirror.path)


def create(path: Path, head: str = TIP_REF) -> None:
    """Make an empty bare repository at *path*, which must not exist, with HEAD at *head*."""
    for folder in ("objects/pack", "objects/info", "refs/heads", "refs/brain"):
        (path / folder).mkdir(parents=True)
    (path / "config").write_text(_CONFIG, encoding="utf-8")
    (path / "HEAD").write_text(f"ref: {head}\n", encoding="utf-8")


def sweep(path: Path) -> None:
    """Remove the lock files and half-written objects of a killed writer."""
    # Every writer holds our lock, so whatever a killed one left behind belongs to nobody.
    for pattern in ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*", "objects/??/tmp_*"):
        for left in path.glob(pattern):
            left.unlink()


def swap(path: Path, successor: Path) -> None:
    """Put *successor* in the place of the mirror at *path*, if any."""
    # Readers hold their packs open; one that opens a mirror in between is told it is missing.
    if path.exists():
        old = beside(path)
        path.rename(old)
        successor.rename(path)
        discard(old)
    else:
        successor.rename(path)


def beside(path: Path) -> Path:
    """Return a fresh name beside *path* that is never taken for a mirror."""
    return path.with_name(f"{path.stem}.{secrets.token_hex(8)}.tmp")


def discard(path: Path) -> None:
    """Delete the repository at *path*; one that is not there is no error."""
    # Renamed first: a half deleted mirror must never be taken for one.
    if not path.exists():
        return
    doomed = beside(path)
    path.rename(doomed)
    shutil.rmtree(doomed, ignore_errors=True)
