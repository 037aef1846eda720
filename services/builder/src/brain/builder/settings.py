"""Settings of the builder; the only module of it that reads the environment."""

import os
from pathlib import Path

import msgspec

from brain.embedding.settings import Settings as EmbeddingSettings
from brain.events.stream import ACK_WAIT_S, HEARTBEAT_S
from brain.telemetry.numbers import read_count, read_number


class Settings(msgspec.Struct, frozen=True):
    """What a builder needs to know."""

    database_url: str
    nats_url: str
    #: Folder of the mirrors, shared with the watcher or kept by a cache.
    mirrors: Path
    #: Builds at once in this process.
    slots: int = 1
    embedding: EmbeddingSettings = EmbeddingSettings()
    otlp_endpoint: str = ""
    log_level: str = "INFO"
    ack_wait_s: float = ACK_WAIT_S
    heartbeat_s: float = HEARTBEAT_S
    #: A pull that a lost connection swallowed is made again after this long.
    pull_wait_s: float = 30.0

    @classmethod
    def from_env(cls) -> "Settings":
        """Read ``BRAIN_*`` and ``OTEL_EXPORTER_OTLP_ENDPOINT``.

        Raises:
            KeyError: a required variable is missing.
        """
        env = os.environ
        return cls(
            database_url=env["BRAIN_DATABASE_URL"],
            nats_url=env["BRAIN_NATS_URL"],
            mirrors=Path(env["BRAIN_MIRRORS"]),
            slots=read_count(env, "BRAIN_BUILD_SLOTS", 0) or (os.cpu_count() or 1),
            embedding=EmbeddingSettings.from_env(),
            otlp_endpoint=env.get("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
            log_level=env.get("BRAIN_LOG_LEVEL", "INFO"),
            ack_wait_s=read_number(env, "BRAIN_ACK_WAIT_S", ACK_WAIT_S),
            pull_wait_s=read_number(env, "BRAIN_PULL_WAIT_S", 30),
            heartbeat_s=read_number(env, "BRAIN_HEARTBEAT_S", HEARTBEAT_S),
        )
