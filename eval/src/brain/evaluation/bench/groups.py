"""The registry: every group of rows, in the order of the table."""

from brain.evaluation.bench import (
    builds,
    history,
    idling,
    links,
    pushes,
    ranking,
    searches,
    serving,
)
from brain.evaluation.bench.runner import Group

GROUPS: tuple[Group, ...] = (
    builds.TIMES,
    builds.MEMORY,
    ranking.SHARE,
    history.GROUP,
    pushes.GROUP,
    links.BROKEN,
    links.CHANGES,
    searches.GROUP,
    ranking.GROUP,
    serving.READS,
    serving.CALLS,
    serving.REBUILDING,
    idling.GROUP,
)
