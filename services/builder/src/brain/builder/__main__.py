"""Run the builder alone: ``python -m brain.builder``."""

from brain.builder.app import running
from brain.builder.settings import Settings
from brain.telemetry.service import run_service, settled


def main() -> None:
    """Read the settings, run until a signal comes, stop in order."""
    settings = settled(Settings.from_env)
    run_service(
        "brain-builder",
        lambda provider: running(settings, provider),
        otlp_endpoint=settings.otlp_endpoint,
        log_level=settings.log_level,
    )


if __name__ == "__main__":
    main()
