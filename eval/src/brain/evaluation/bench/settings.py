"""What the bench takes from its environment; the only module of it that reads it."""

import os

_OURS = ("BRAIN_", "OTEL_")


def neutral_environment() -> dict[str, str]:
    """Return the environment without what would configure an instance of Brain.

    No vectors are made: a model at work behind the builds would be measured with every row.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, "BRAIN_EMBEDDINGS": "none"}
