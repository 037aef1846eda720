"""The report of an assessment: what was found, by type, how sure that is, and what it costs."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import msgspec

from brain.assessment.intervals import intervals_of
from brain.assessment.measures import MEASURES, Outcome, mean_of, measure

_COST_DEPTHS = (5, 10)


class Answered(msgspec.Struct, frozen=True):
    """One question and what search did with it."""

    id: str
    type: str
    question: str
    #: None for a question that nothing answers.
    outcome: Outcome | None
    #: Whether search says that it holds an answer.
    is_likely: bool
    confidence: float
    #: Of each hit, best first.
    nodes: tuple[str, ...]
    tokens: tuple[int, ...]
    is_synthetic: bool = False
    must: bool = False


def report(mode: str, answers: Sequence[Answered]) -> dict[str, Any]:
    """Summarise answers; the keys are those that ``brain eval`` documents.

    Synthetic questions stand in ``byType`` alone. ``abstention`` has the share of questions
    without an answer that search answers as if it knew, and of those with one that it doubts.
    """
    counted = [each for each in answers if not each.is_synthetic]
    measured = [measure(each.outcome) for each in counted if each.outcome]
    return {
        "mode": mode,
        "questions": len(answers),
        "overall": mean_of(measured),
        "byType": _by_type(answers),
        "intervals": intervals_of(measured),
        "abstention": _abstention(counted),
        "tokens": _cost(answers),
        "missed": [each.id for each in answers if each.outcome and not any(each.outcome.ranks)],
        "failed": [
            each.id
            for each in answers
            if each.must and each.outcome and not any(each.outcome.ranks)
        ],
    }


def differences(now: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    """Return by how much each measure rose since an earlier run."""
    return {
        name: round(now[name] - before[name], 4)
        for name in MEASURES
        if name in now and name in before
    }


def _by_type(answers: Sequence[Answered]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Answered]] = {}
    for each in answers:
        groups.setdefault(each.type, []).append(each)
    return {kind: _of_type(group) for kind, group in sorted(groups.items())}


def _of_type(group: Sequence[Answered]) -> dict[str, float]:
    measured = [measure(each.outcome) for each in group if each.outcome]
    told: dict[str, float] = {"questions": len(group), **mean_of(measured)}
    return told if measured else told | {"answeredAsKnown": _share_likely(group)}


def _abstention(answers: Sequence[Answered]) -> dict[str, float]:
    without = [each for each in answers if each.outcome is None]
    having = [each for each in answers if each.outcome is not None]
    return {
        "unanswerable": len(without),
        "answeredAsKnown": _share_likely(without),
        "doubted": round(1 - _share_likely(having), 4) if having else 0.0,
    }


def _share_likely(answers: Sequence[Answered]) -> float:
    return round(fmean(each.is_likely for each in answers), 4) if answers else 0.0


def _cost(answers: Sequence[Answered]) -> dict[str, int]:
    if not answers:
        return {}
    return {
        f"mean@{depth}": round(fmean(sum(each.tokens[:depth]) for each in answers))
        for depth in _COST_DEPTHS
    }
