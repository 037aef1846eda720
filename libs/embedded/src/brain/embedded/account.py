"""Which account a server runs as when we are root."""

import os
import pwd
import subprocess
from pathlib import Path
from typing import NamedTuple

#: Accounts to drop to, best first: the customary one, then the one every system has.
FALLBACKS = ("postgres", "nobody")


class Account(NamedTuple):
    """A user id with its group id; no supplementary groups."""

    uid: int
    gid: int


def unprivileged_account(existing: Path) -> Account:
    """Choose the account that Postgres drops to.

    The owner of an existing cluster, so that it keeps its files; else the first of ``FALLBACKS``
    that the system has. The answer may be root when root owns the cluster: the caller refuses it.

    """
    if existing.exists():
        status = existing.stat()
        return Account(status.st_uid, status.st_gid)
    return next(filter(None, map(_named, FALLBACKS)), None) or _nobody()


def can_execute(path: Path, account: Account) -> bool:
    """Tell whether the account may run that file, or enter that folder.

    Asked of the kernel by a process of that account, so ACLs, mounts and every parent count.
    """
    test = subprocess.run(
        # The shell's own test: the search path need not hold the program of that name.
        ["/bin/sh", "-c", 'test -x "$1"', "sh", os.fspath(path)],
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        cwd="/",
        check=False,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return test.returncode == 0


def _named(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(entry.pw_uid, entry.pw_gid)


def _nobody() -> Account:
    # Containers without /etc/passwd entries still know the kernel's overflow id.
    return Account(65534, 65534)
