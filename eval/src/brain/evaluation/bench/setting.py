"""The setting of a run: where, on which repository and with how much effort."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from brain.evaluation.bench.repository import Repository
from brain.evaluation.bench.row import Size


class Effort(msgspec.Struct, frozen=True):
    """How often a run repeats what a single time would not tell."""

    #: Changed documents, one after the other.
    pushes: int = 20
    #: Requests whose slowest twentieth counts.
    calls: int = 20
    queries: int = 100
    #: Seconds of load on a route.
    load_s: float = 1.5
    #: Seconds of load while rebuilds run.
    rebuilding_s: float = 6.0
    #: Seconds over which the processor time of what idles is taken.
    watch_s: float = 5.0


#: Enough to see that the bench works, and too little for its figures to mean anything.
BRIEF = Effort(pushes=2, calls=3, queries=5, load_s=0.2, rebuilding_s=0.5, watch_s=0.2)


class Setting(msgspec.Struct, frozen=True):
    """What the stages are given."""

    #: The bench's own folder, which it may fill.
    folder: Path
    #: The measured repository, as the bench may move it.
    whole: Repository
    effort: Effort
    idle_s: float
    #: Of the processes that the bench starts: nothing that configures Brain.
    environment: Mapping[str, str]

    def size(self) -> Size:
        """Return what decides which goals apply."""
        whole = self.whole
        return Size(len(whole.documents), whole.text_bytes, whole.commit_count(), self.idle_s)
