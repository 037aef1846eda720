"""Settings of the read-api; the only module of it that reads the environment."""

import os
from pathlib import Path

import msgspec

from brain.access.token import require_strong
from brain.embedding.settings import Settings as EmbeddingSettings
from brain.query.journal import JournalSettings, journal_settings
from brain.telemetry.numbers import read_count
from brain.telemetry.switch import read_switch

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Settings(msgspec.Struct, frozen=True):
    """What the read-api needs to know."""

    database_url: str
    nats_url: str
    mirrors: Path
    #: Bootstraps an administrator; empty allows stored tokens only.
    api_token: str = ""
    host: str = "127.0.0.1"
    port: int = 7700
    #: Host names clients may use; anything else is refused, so no rebound name reaches us.
    allowed_hosts: tuple[str, ...] = LOOPBACK
    metrics_need_token: bool = False
    cache_bytes: int = 64 * 1024 * 1024
    journal: JournalSettings = JournalSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    vector_cache_bytes: int = 512 * 1024 * 1024
    otlp_endpoint: str = ""
    log_level: str = "INFO"

    @classmethod
    def from_env(cls) -> "Settings":
        """Read ``BRAIN_*`` and ``OTEL_EXPORTER_OTLP_ENDPOINT``.

        Raises:
            KeyError: a required variable is missing.
            ValueError: a value makes no sense.
            WeakTokenError: ``BRAIN_API_TOKEN`` is set to something anybody would guess.
        """
        env = os.environ
        token = env.get("BRAIN_API_TOKEN")
        hosts = env.get("BRAIN_ALLOWED_HOSTS", "")
        return cls(
            database_url=env["BRAIN_DATABASE_URL"],
            nats_url=env["BRAIN_NATS_URL"],
            mirrors=Path(env["BRAIN_MIRRORS"]),
            api_token=require_strong(token) if token is not None else "",
            host=env.get("BRAIN_HTTP_HOST", "127.0.0.1"),
            port=read_count(env, "BRAIN_HTTP_PORT", 7700),
            allowed_hosts=tuple(hosts.split(",")) if hosts else LOOPBACK,
            metrics_need_token=read_switch(env, "BRAIN_METRICS_REQUIRE_AUTH", otherwise=False),
            cache_bytes=read_count(env, "BRAIN_CACHE_BYTES", 64 * 1024 * 1024),
            journal=journal_settings(env),
            embedding=EmbeddingSettings.from_env(),
            vector_cache_bytes=read_count(env, "BRAIN_VECTOR_CACHE_BYTES", 512 * 1024 * 1024),
            otlp_endpoint=env.get("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
            log_level=env.get("BRAIN_LOG_LEVEL", "INFO"),
        )
