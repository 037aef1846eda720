"""Row of the history: the last change of every document, against git naming all changed paths."""

import time
from collections.abc import Mapping

from brain.evaluation.bench.builds import Builds, build_stage
from brain.evaluation.bench.git import timed_git
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.gitmirror.last_change import MOST_COMMITS, last_changes


def measure(builds: Builds, _number: int) -> Mapping[str, Sample]:
    """Walk the history in a mirror, both ways."""
    _, mirror = builds.add()
    whole = builds.setting.whole
    tip, paths = whole.tip, [document.path for document in whole.documents]
    listing = ("log", "--name-only", "--no-renames", "-n", str(MOST_COMMITS), tip)
    git_s = timed_git(mirror.path, *listing)
    began = time.perf_counter()
    last_changes(mirror, tip, paths)
    return {"changed": Sample(time.perf_counter() - began, git_s)}


GROUP = Group(
    "last changes",
    (
        Row(
            "changed",
            "last change of every document, 10,000 commits",
            "s",
            "git log --name-only --no-renames -n 10000",
            (Goal(3, fewest_commits=MOST_COMMITS),),
        ),
    ),
    build_stage,
    measure,
)
