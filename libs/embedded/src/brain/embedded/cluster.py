"""Creating a Postgres cluster, and checking one that exists."""

import os
import subprocess
from pathlib import Path

from brain.embedded.account import Account
from brain.embedded.errors import CommandError, MajorVersionError
from brain.embedded.place import Place

MAJOR_VERSION = "18"
USER = "brain"
DATABASE = "brain"
#: What Postgres needs to know about the outside: nothing.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}

INITDB_OPTIONS = (
    f"--username={USER}",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
)


def ensure_cluster(place: Place, *, durable: bool) -> None:
    """Create the cluster and its database unless they exist.

    A creation cut short leaves a draft that the next one replaces; a cluster in place is whole.

    Args:
        place: where; its home exists.
        durable: False skips syncing to disk, for tests.

    Raises:
        MajorVersionError: the cluster is another major version's.
        CommandError: initdb failed; the message holds its output.
    """
    version = place.cluster / "PG_VERSION"
    if version.exists():
        _require_version(place.cluster, version.read_text(encoding="ascii").strip())
        return
    draft = place.home / "data.draft"
    _run(None, "rm", "-rf", "--", str(draft))
    draft.mkdir(mode=0o700)
    if place.account is not None:
        os.chown(draft, place.account.uid, place.account.gid)
    sync = () if durable else ("--no-sync",)
    initdb = str(place.binaries / "initdb")
    _run(place.account, initdb, "-D", str(draft), *INITDB_OPTIONS, *sync)
    _create_database(place, draft)
    draft.rename(place.cluster)


def _create_database(place: Place, cluster: Path) -> None:
    # Single-user mode: no socket, no second start.
    postgres = str(place.binaries / "postgres")
    single = (postgres, "--single", "-D", str(cluster), "-c", "log_min_messages=fatal", "postgres")
    _run(place.account, *single, statement=f"CREATE DATABASE {DATABASE}\n")


def _require_version(cluster: Path, found: str) -> None:
    if found != MAJOR_VERSION:
        raise MajorVersionError(cluster, found, MAJOR_VERSION)


def _run(account: Account | None, *argv: str, statement: str = "") -> None:
    done = subprocess.run(
        argv,
        input=statement,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd="/",
        env=ENVIRONMENT,
        user=None if account is None else account.uid,
        group=None if account is None else account.gid,
        extra_groups=None if account is None else [],
    )
    if done.returncode != 0:
        raise CommandError(Path(argv[0]).name, done.returncode, done.stdout)
