"""The private folder of the Postgres socket."""

import os
import re
import stat
from pathlib import Path

from brain.embedded.account import Account
from brain.embedded.errors import SocketFolderError
from brain.embedded.place import folder_key

#: Leaves room for the socket's own name within the 107 bytes of ``sockaddr_un``. # unix(7)
LONGEST_PATH = 90
_PLAIN = re.compile(r"[A-Za-z0-9/_.-]+")


def socket_folder(home: Path, account: Account | None, runtime_folder: Path | None) -> Path:
    """Create, or check, the folder that holds the socket of a cluster.

    It lies in the user's runtime folder, for root in ``/run``, else in ``/tmp``; its name derives
    from the cluster's folder and the user. Only its owner (and root) may enter, which is what
    makes ``trust`` authentication on the socket safe.

    Args:
        home: the cluster's folder.
        account: who Postgres runs as; None is ourselves.
        runtime_folder: XDG_RUNTIME_DIR; None when unset. Root does not use it.

    Raises:
        SocketFolderError: the name is taken by a link, a file or another user's folder.
    """
    uid = os.geteuid() if account is None else account.uid
    folder = _parent(account, runtime_folder) / f"brain-{uid}-{folder_key(home)}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        _require_private(folder, uid)
        return folder
    if account is not None:
        os.chown(folder, account.uid, account.gid, follow_symlinks=False)
    return folder


def _parent(account: Account | None, runtime_folder: Path | None) -> Path:
    if account is not None:
        return Path("/run") if os.access("/run", os.W_OK) else Path("/tmp")  # noqa: S108 - checked
    if runtime_folder is not None and _usable(runtime_folder):
        return runtime_folder
    return Path("/tmp")  # noqa: S108 - the folder inside is private and checked


def _usable(folder: Path) -> bool:
    text = str(folder)
    short = len(text) + len("/brain-4294967295-00000000") <= LONGEST_PATH
    return short and _PLAIN.fullmatch(text) is not None and os.access(folder, os.W_OK)


def _require_private(folder: Path, uid: int) -> None:
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise SocketFolderError(folder, "is no folder")
    if status.st_uid != uid:
        raise SocketFolderError(folder, f"belongs to user id {status.st_uid}")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise SocketFolderError(folder, "lets other users in")
