"""Intervals: how far a mean over these questions may be from the mean over all such questions."""

import math
from collections.abc import Sequence
from random import Random

from brain.assessment.measures import MEASURES

_RESAMPLES = 1_000
_SEED = 20_260_101
_TAIL = 0.025


def intervals_of(measured: Sequence[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval of every mean, to four digits; of nothing, nothing.

    Questions are drawn again with replacement, a thousand times, from a fixed seed: equal
    measures give equal intervals.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993 (percentile interval).
    """
    count = len(measured)
    if not count:
        return {}
    columns = {name: [each[name] for each in measured] for name in MEASURES}
    means: dict[str, list[float]] = {name: [] for name in MEASURES}
    random = Random(_SEED)  # noqa: S311 - equal runs, not secrets
    for _ in range(_RESAMPLES):
        drawn = random.choices(range(count), k=count)
        for name, column in columns.items():
            means[name].append(math.fsum([column[each] for each in drawn]) / count)
    return {name: _middle(sorted(each)) for name, each in means.items()}


def _middle(ordered: Sequence[float]) -> tuple[float, float]:
    cut = round(_TAIL * len(ordered))
    return round(ordered[cut], 4), round(ordered[-1 - cut], 4)
