"""Run the mcp-gateway alone: ``python -m brain.mcp_gateway``."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from opentelemetry.trace import TracerProvider

from brain.mcp_gateway.app import running
from brain.mcp_gateway.settings import Settings
from brain.telemetry.service import run_service, settled
from brain.telemetry.serving import served


def main() -> None:
    """Read the settings, serve until a signal comes, stop in order."""
    settings = settled(Settings.from_env)

    @asynccontextmanager
    async def app(provider: TracerProvider | None) -> AsyncIterator[None]:
        async with running(settings, provider) as api, served(api, settings.host, settings.port):
            yield

    run_service(
        "brain-mcp-gateway",
        app,
        otlp_endpoint=settings.otlp_endpoint,
        log_level=settings.log_level,
    )


if __name__ == "__main__":
    main()
