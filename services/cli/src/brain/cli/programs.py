"""The processes of our own that the supervisor runs, and the record of all it runs."""

import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from brain.cli.child import Child
from brain.cli.settings import Settings
from brain.embedded.loopback import first_bytes
from brain.embedded.private_file import write_private
from brain.embedded.process import Program

# -P: a folder named brain where the user happens to be must not be imported.
PYTHON = (sys.executable, "-P", "-m")
READY_REQUEST = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


class Commands(NamedTuple):
    """The command lines of our own processes."""

    migrate: tuple[str, ...] = (*PYTHON, "brain.cli", "migrate")
    host: tuple[str, ...] = (*PYTHON, "brain.cli.host")


class Addresses(NamedTuple):
    """What the server process needs to reach the others; secrets, all three."""

    database_url: str
    nats_url: str
    token: str


def migrate_program(settings: Settings, commands: Commands, addresses: Addresses) -> Program:
    """Describe the step that brings the schema up to date; it ends by itself."""
    return Program(
        name="migrate",
        argv=commands.migrate,
        environment=_environment(settings, addresses),
        is_ready=lambda _: False,
        folder=str(settings.data),
    )


def host_program(settings: Settings, commands: Commands, addresses: Addresses) -> Program:
    """Describe the server process; it is ready when ``/readyz`` answers 200."""
    port = settings.port_base
    return Program(
        name="host",
        argv=commands.host,
        environment=_environment(settings, addresses),
        is_ready=lambda _: b" 200 " in first_bytes(port, READY_REQUEST, timeout_s=0.5)[:16],
        folder=str(settings.data),
    )


def write_services(data: Path, children: Sequence[Child]) -> None:
    """Record in ``services.json`` what runs, for ``brain status``."""
    services = [
        {"name": child.name, "state": child.state, "pid": child.pid, "restarts": child.restarts}
        for child in children
    ]
    with contextlib.suppress(OSError):  # a full disk must not end what runs
        write_private(data / "services.json", json.dumps(services) + "\n")


def _environment(settings: Settings, addresses: Addresses) -> dict[str, str]:
    return dict(settings.environment) | {
        "BRAIN_DATA": str(settings.data),
        "BRAIN_MIRRORS": str(settings.data / "mirrors"),
        "BRAIN_DATABASE_URL": addresses.database_url,
        "BRAIN_NATS_URL": addresses.nats_url,
        "BRAIN_HTTP_PORT": str(settings.port_base),
        "BRAIN_API_TOKEN": addresses.token,
        "PYTHONUNBUFFERED": "1",
    }
