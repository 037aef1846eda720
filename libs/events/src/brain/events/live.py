"""Live events: what happens to a source, for whoever listens; core NATS, never stored."""

from typing import Literal

import msgspec

Phase = Literal["waiting", "reading", "parsing", "assembling", "writing"]


class BuildProgress(msgspec.Struct, frozen=True, tag="progress", rename="camel"):
    """How far a running build is. Published by builders, at most four times a second a source."""

    project_id: str
    commit: str
    phase: Phase
    #: Documents done in this phase, and documents in all.
    done: int
    total: int


class TreeBuilt(msgspec.Struct, frozen=True, tag="built", rename="camel"):
    """An index was published. Published by builders after the commit; may repeat."""

    project_id: str
    commit: str
    documents: int


class BuildFailed(msgspec.Struct, frozen=True, tag="failed", rename="camel"):
    """A build ended without an index. Published by builders."""

    project_id: str
    commit: str
    error: str
    #: Whether this commit is given up for good with this builder version.
    final: bool


LiveEvent = BuildProgress | TreeBuilt | BuildFailed
