"""Settings of the sync-watcher; the only module of it that reads the environment."""

import os
from pathlib import Path

import msgspec

from brain.events.stream import ACK_WAIT_S
from brain.telemetry.numbers import read_number


class Settings(msgspec.Struct, frozen=True):
    """What the watcher needs to know."""

    database_url: str
    nats_url: str
    #: Folder of the mirrors; the watcher is their only writer.
    mirrors: Path
    #: Folders whose local repositories may be mirrored; None allows any path we can read.
    allowed_paths: tuple[Path, ...] | None = ()
    remote_poll_s: float = 60.0
    local_poll_s: float = 2.0
    reconcile_s: float = 60.0
    #: As the builders have it: whoever starts last settles the consumers.
    ack_wait_s: float = ACK_WAIT_S
    #: Certificates to trust for https remotes instead of the system's.
    git_ca_file: Path | None = None
    #: ``host`` or ``host:port`` and the credential sent there, and nowhere else.
    git_credential: tuple[str, str, str] | None = None
    otlp_endpoint: str = ""
    log_level: str = "INFO"

    @classmethod
    def from_env(cls) -> "Settings":
        """Read ``BRAIN_*`` and ``OTEL_EXPORTER_OTLP_ENDPOINT``.

        Raises:
            KeyError: a required variable is missing.
        """
        env = os.environ
        ca_file = env.get("BRAIN_GIT_CA_FILE", "")
        host = env.get("BRAIN_GIT_HOST", "")
        return cls(
            database_url=env["BRAIN_DATABASE_URL"],
            nats_url=env["BRAIN_NATS_URL"],
            mirrors=Path(env["BRAIN_MIRRORS"]),
            allowed_paths=_allowed_paths(env.get("BRAIN_ALLOW_PATHS", "")),
            remote_poll_s=read_number(env, "BRAIN_REMOTE_POLL_S", 60),
            local_poll_s=read_number(env, "BRAIN_LOCAL_POLL_S", 2),
            reconcile_s=read_number(env, "BRAIN_RECONCILE_S", 60),
            ack_wait_s=read_number(env, "BRAIN_ACK_WAIT_S", ACK_WAIT_S),
            git_ca_file=Path(ca_file) if ca_file else None,
            git_credential=(
                (host, env.get("BRAIN_GIT_USERNAME", "git"), env.get("BRAIN_GIT_TOKEN", ""))
                if host
                else None
            ),
            otlp_endpoint=env.get("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
            log_level=env.get("BRAIN_LOG_LEVEL", "INFO"),
        )


def _allowed_paths(text: str) -> tuple[Path, ...] | None:
    """``*`` allows any path, nothing allows none, else a list joined by colons."""
    if text == "*":
        return None
    return tuple(Path(part) for part in text.split(":") if part)
