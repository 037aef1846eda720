"""Run the sync-watcher alone: ``python -m brain.sync_watcher``."""

from brain.sync_watcher.app import running
from brain.sync_watcher.settings import Settings
from brain.telemetry.service import run_service, settled


def main() -> None:
    """Read the settings, run until a signal comes, stop in order."""
    settings = settled(Settings.from_env)
    run_service(
        "brain-sync-watcher",
        lambda provider: running(settings, provider),
        otlp_endpoint=settings.otlp_endpoint,
        log_level=settings.log_level,
    )


if __name__ == "__main__":
    main()
