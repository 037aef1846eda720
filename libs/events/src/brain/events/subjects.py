"""Subjects: pure names, the same in every service.

Work waits on ``brain.v1.<class>.<lane>.<source>``; what everybody may hear goes to
``brain.v1.live.<source>``; a request to look at a remote at once to ``brain.v1.look.<source>``.
"""

import hashlib
from typing import Literal

#: Lanes a class. Constant for ever: a source must never move between lanes while work waits.
LANE_COUNT = 64

#: Classes of work, each with consumers and child slots of its own:
#: *fresh* is what somebody waits for, *background* what may wait.
WorkClass = Literal["fresh", "background"]

LIVE_SUBJECTS = "brain.v1.live.*"
LOOK_SUBJECTS = "brain.v1.look.*"


def lane_of(project_id: str) -> int:
    """Return the lane of a project, 0 to 63: stable across processes, versions and machines."""
    digest = hashlib.sha256(project_id.encode()).digest()
    return int.from_bytes(digest[:8], "big") % LANE_COUNT


def work_subject(work_class: WorkClass, project_id: str, source_id: int) -> str:
    """Return the subject on which work for a source waits."""
    return f"brain.v1.{work_class}.{lane_of(project_id)}.{source_id}"


def lane_subjects(work_class: WorkClass, lane: int) -> str:
    """Return the wildcard a lane's consumer filters by."""
    return f"brain.v1.{work_class}.{lane}.*"


def lane_consumer(work_class: WorkClass, lane: int) -> str:
    """Return the durable name of a lane's consumer, shared by all builders."""
    return f"builder-{work_class}-{lane}"


def source_of(subject: str) -> int:
    """Return the source id that ends a subject.

    Raises:
        ValueError: the last token is no number.
    """
    return int(subject.rsplit(".", 1)[-1])


def live_subject(source_id: int) -> str:
    """Return the core subject on which a source's live events are published."""
    return f"brain.v1.live.{source_id}"


def look_subject(source_id: int) -> str:
    """Return the core subject on which the watcher is asked to look at a source's remote."""
    return f"brain.v1.look.{source_id}"


def dead_subject(source_id: int) -> str:
    """Return the subject under which a message that killed its builders is kept."""
    return f"brain.v1.dead.{source_id}"
