"""What parent and child say to each other over the pipe."""

import msgspec

from brain.embedding.settings import Settings as EmbeddingSettings
from brain.events.live import Phase
from brain.store.build_session import StillOwed


class Job(msgspec.Struct, frozen=True):
    """One build to try. The child reads everything else from the database."""

    source_id: int
    database_url: str
    mirrors: str
    #: Whether a whole build that may wait is wanted as well.
    background: bool = False
    log_level: str = "INFO"
    otlp_endpoint: str = ""
    #: Trace context of the message that asked for it.
    trace: dict[str, str] = {}
    #: The model that makes vectors of what is built, later; empty for none.
    model: str = ""


class FillJob(msgspec.Struct, frozen=True):
    """Vectors to fill in for one turn. The child reads everything else from the database."""

    source_id: int
    database_url: str
    mirrors: str
    embedding: EmbeddingSettings
    #: What the settings come to.
    model: str
    #: Seconds after which the turn ends, with its batch.
    turn_s: float = 20.0
    log_level: str = "INFO"


class Started(msgspec.Struct, frozen=True):
    """The lock is held and demand was read."""

    project_id: str
    fence: int
    wanted_seq: int
    commit: str


class Progress(msgspec.Struct, frozen=True):
    """How far the build is."""

    phase: Phase
    done: int
    total: int


class Published(msgspec.Struct, frozen=True):
    """The index stands at the commit."""

    commit: str
    documents: int
    #: What the source is owed after it.
    owed: StillOwed


class Filled(msgspec.Struct, frozen=True):
    """A turn of filling in vectors is over."""

    #: How many were computed.
    written: int
    #: Chunks of the source that still wait.
    pending: int
    #: Those that wait cannot be read: a build is under way, or the mirror lacks something.
    is_stuck: bool = False


class Nothing(msgspec.Struct, frozen=True):
    """Nothing was owed, or another build holds the lock."""

    why: str


class Overtaken(msgspec.Struct, frozen=True):
    """Another build began or published meanwhile, or the source is gone; nothing was written."""

    why: str


class Refused(msgspec.Struct, frozen=True):
    """The commit cannot be indexed by this builder version: final for it."""

    error: str


class Interrupted(msgspec.Struct, frozen=True):
    """The infrastructure failed; the same build may work later."""

    error: str


class Died(msgspec.Struct, frozen=True):
    """The child was killed or crashed, as the parent finds; or it found its mirror damaged."""

    error: str
    #: What the source shows meanwhile.
    reason: str = "retrying"


Outcome = Published | Filled | Nothing | Overtaken | Refused | Interrupted | Died
Message = Started | Progress | Outcome
