"""Thresholds: what a golden set must reach, kept in a file that the tests read."""

from pathlib import Path
from typing import Any

import msgspec

from brain.assessment.errors import AssessmentError


class Threshold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one golden set must reach in one mode."""

    #: Measure to the least it may be.
    least: dict[str, float]
    #: The largest share of unanswerable questions that may be answered as if known.
    answered_as_known: float = 1.0


#: By name of the golden set, then by mode.
Thresholds = dict[str, dict[str, Threshold]]


def read_thresholds(path: Path) -> Thresholds:
    """Read a file of thresholds.

    Raises:
        AssessmentError: it is no such file.
    """
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=Thresholds)
    except (OSError, msgspec.MsgspecError) as error:
        raise AssessmentError(f"{path}: {error}") from error


def shortfalls(threshold: Threshold, told: dict[str, Any]) -> list[str]:
    """Return, in words, every threshold that a report does not reach."""
    found = [
        f"{name} is {told['overall'][name]}, not {least}"
        for name, least in threshold.least.items()
        if told["overall"][name] < least
    ]
    share = told["abstention"]["answeredAsKnown"]
    if share > threshold.answered_as_known:
        found.append(f"{share} of unanswerable questions are answered as if known")
    return found
