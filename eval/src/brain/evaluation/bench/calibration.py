"""Calibration: a fixed piece of work that tells how fast this machine is at this moment.

Goals in seconds were set for a quiet machine with two cores. There this work takes a tenth of a
second, so a goal of N seconds is a ratio of 10 N to it, and a machine that is slower, or busy with
something else, is granted the more time that this work needs too.
"""

import subprocess
import time
from collections import Counter
from statistics import median

#: What the work takes on a quiet machine of the kind the goals were set for.
QUIET_S = 0.1
_WORDS = 160_000
_PROCESSES = 10
_REPEATS = 3


def as_ratio(goal_s: float) -> float:
    """Turn a goal in seconds into a ratio to the calibration."""
    return goal_s / QUIET_S


def calibrate() -> float:
    """Return the seconds that the fixed work takes, the median of three."""
    return median(_timed() for _ in range(_REPEATS))


def _timed() -> float:
    began = time.perf_counter()
    _compute()
    for _ in range(_PROCESSES):
        subprocess.run(["git", "--version"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _compute() -> int:
    """Make, count and sort words: what a build does, with nothing of ours in it."""
    words = (f"{number * 2_654_435_761 % 10_007:05}" for number in range(_WORDS))
    counted = Counter(word.casefold()[1:] for word in words)
    return len(sorted(counted.items(), key=lambda item: (-item[1], item[0])))
