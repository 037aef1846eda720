"""Rows of the links and the changes, which need all of an index or much of a history."""

import time
from collections.abc import Mapping
from statistics import median

from brain.evaluation.bench.calibration import as_ratio, calibrate
from brain.evaluation.bench.git import git
from brain.evaluation.bench.product import Product
from brain.evaluation.bench.reading import WHOLE, Reading, reading_stage
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.verdict import percentile

_ROUTE = f"/api/projects/{WHOLE}/brain"
_BACK = 1_000


def measure_broken(reading: Reading, _number: int) -> Mapping[str, Sample]:
    """Have a document changed and built, then ask for all broken links again and again."""
    commit = reading.repositories[WHOLE].change()
    reading.product.get(f"{_ROUTE}/tree", waitFor=commit)
    calibration_s = calibrate()
    first_s = _timed(reading.product, "broken")
    again = [_timed(reading.product, "broken") for _ in range(reading.setting.effort.calls)]
    return {
        "broken-first": Sample(first_s, calibration_s),
        "broken-again": Sample(median(again), calibration_s),
    }


def measure_changes(reading: Reading, _number: int) -> Mapping[str, Sample]:
    """Ask what changed since some commits, each about a thousand ago and none asked for twice."""
    calls = reading.setting.effort.calls
    history = git(
        reading.setting.whole.path, "rev-list", f"-n{_BACK + calls}", "refs/heads/main"
    ).decode().split()  # fmt: skip
    calibration_s = calibrate()
    times = [_timed(reading.product, "changes", since=commit) for commit in history[-calls:]]
    return {"changes": Sample(percentile(times, 0.95), calibration_s)}


def _timed(product: Product, route: str, **parameters: str) -> float:
    began = time.perf_counter()
    product.get(f"{_ROUTE}/{route}", **parameters)
    return time.perf_counter() - began


_WORK = "a fixed piece of work"
BROKEN = Group(
    "broken links",
    (
        Row(
            "broken-first",
            "broken links, first time after a build",
            "s",
            _WORK,
            (Goal(as_ratio(2)),),
        ),
        Row("broken-again", "broken links, then", "s", _WORK, (Goal(as_ratio(0.05)),)),
    ),
    reading_stage,
    measure_broken,
)
CHANGES = Group(
    "changes",
    (
        Row(
            "changes",
            "changes over 1,000 commits, p95",
            "s",
            _WORK,
            (Goal(as_ratio(0.5), fewest_commits=_BACK),),
        ),
    ),
    reading_stage,
    measure_changes,
)
