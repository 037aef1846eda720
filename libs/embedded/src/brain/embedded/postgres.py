"""Postgres from the wheel, on a private Unix socket."""

import signal
from pathlib import Path
from typing import NamedTuple

from brain.embedded.cluster import DATABASE, ENVIRONMENT, USER, ensure_cluster
from brain.embedded.place import STATE, Place, find_place
from brain.embedded.postmaster_file import serves, yield_recycled_pid
from brain.embedded.private_file import write_private
from brain.embedded.process import Program
from brain.embedded.socket_folder import socket_folder

#: Sized for one machine that mostly waits: few processes, few wakeups, little memory.
SETTINGS = {
    "listen_addresses": "''",
    "unix_socket_permissions": "0700",
    "max_connections": "40",
    "shared_buffers": "32MB",
    "huge_pages": "off",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "effective_cache_size": "1GB",
    "random_page_cost": "1.1",
    "jit": "off",
    # Worker processes for reading ahead would only wait.
    "io_method": "sync",
    "max_worker_processes": "4",
    "max_parallel_workers": "2",
    "max_parallel_workers_per_gather": "0",
    "autovacuum_naptime": "5min",
    "autovacuum_max_workers": "1",
    "autovacuum_worker_slots": "2",
    # No replica reads this log.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_replication_slots": "0",
    "max_logical_replication_workers": "0",
    "max_wal_size": "512MB",
    "min_wal_size": "64MB",
    "checkpoint_timeout": "15min",
    "wal_writer_delay": "10s",
    "bgwriter_delay": "10s",
    "TimeZone": "UTC",
    "log_timezone": "UTC",
    "default_text_search_config": "'pg_catalog.simple'",
    "log_line_prefix": "''",
    "log_checkpoints": "off",
}
#: For servers that a test throws away.
THROWAWAY = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "100",
}


class Postgres(NamedTuple):
    """A prepared server and how to reach it."""

    program: Program
    #: libpq URL of the superuser and the database, over the socket.
    url: str


def prepare_postgres(
    folder: Path,
    *,
    runtime_folder: Path | None = None,
    durable: bool = True,
    state: Path = STATE,
) -> Postgres:
    """Make the cluster of a folder ready to be started; a cluster that exists keeps its data.

    Blocks for the seconds that initdb takes the first time. Nobody else may be running or
    preparing this folder: the caller holds a lock on it.

    Args:
        folder: the cluster's folder; its parent exists. As root see ``find_place``.
        runtime_folder: XDG_RUNTIME_DIR, None when unset.
        durable: False trades safety for speed, for tests.
        state: where root keeps what the unprivileged account cannot reach.

    Raises:
        EmbeddedError: the cluster or its folders cannot be used; the message names the fix.
    """
    place = find_place(folder, state=state)
    sockets = socket_folder(place.home, place.account, runtime_folder)
    ensure_cluster(place, durable=durable)
    yield_recycled_pid(place.cluster)
    settings = place.home / "postgresql.conf"
    mode = 0o600 if place.account is None else 0o644
    write_private(settings, settings_text(sockets, durable=durable), mode=mode)
    program = _program(place, settings, sockets)
    return Postgres(program, f"postgresql://{USER}@/{DATABASE}?host={sockets}")


def settings_text(sockets: Path, *, durable: bool) -> str:
    """Write postgresql.conf; everything not named keeps Postgres's default (fsync is on)."""
    settings = SETTINGS | {"unix_socket_directories": f"'{sockets}'"}
    if not durable:
        settings |= THROWAWAY
    return "".join(f"{name} = {value}\n" for name, value in settings.items())


def _program(place: Place, settings: Path, sockets: Path) -> Program:
    cluster = place.cluster
    return Program(
        name="postgres",
        argv=(
            str(place.binaries / "postgres"),
            "-D",
            str(cluster),
            "-c",
            f"config_file={settings}",
        ),
        environment=ENVIRONMENT,
        is_ready=lambda pid: serves(cluster, pid),
        # Fast shutdown: ends sessions, writes a checkpoint. # postgres(1)
        stop_signal=signal.SIGINT,
        # Immediate shutdown: recovers at the next start.
        abort_signal=signal.SIGQUIT,
        death_signal=signal.SIGINT,
        account=place.account,
        run_folders=(sockets,),
    )
