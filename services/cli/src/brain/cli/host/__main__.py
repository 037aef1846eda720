"""Run every service in this process: ``python -m brain.cli.host``; the supervisor starts it."""

from brain.cli.host.app import running
from brain.cli.host.settings import Settings
from brain.telemetry.service import run_service, settled


def main() -> None:
    """Read the settings, run all services until a signal comes, stop in order."""
    settings = settled(Settings.from_env)
    run_service(
        "brain",
        lambda provider: running(settings, provider),
        otlp_endpoint=settings.api.otlp_endpoint,
        log_level=settings.api.log_level,
    )


if __name__ == "__main__":
    main()
