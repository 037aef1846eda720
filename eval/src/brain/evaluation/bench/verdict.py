"""Verdicts: from the samples of a row to its line of the table, and to the exit code."""

from collections.abc import Iterable, Sequence
from statistics import median

from brain.evaluation.bench.row import Goal, Result, Row, Sample, Size

_FAILURES = frozenset({"failed", "no peer", "error"})


def result_of(row: Row, samples: Sequence[Sample], size: Size, note: str = "") -> Result:
    """Judge a row by the median of its runs.

    A row with a note, or without samples, is an error; one run without its peer is enough for
    ``no peer``: half a comparison is none.
    """
    goal = goal_for(row, size)
    ours = median(sample.ours for sample in samples) if samples else None
    shown = Result(
        key=row.key,
        title=row.title,
        unit=row.unit,
        peer_name=row.peer,
        verdict="error",
        ours=ours,
        goal=goal.limit if goal else None,
        at_least=goal.at_least if goal else False,
        note=note or ("" if samples else "nothing was measured"),
        samples=tuple(samples),
    )
    if shown.note:
        return shown
    return _compared(shown, row, goal, size)


def goal_for(row: Row, size: Size) -> Goal | None:
    """Return the goal for this size, else any goal of the row to show beside it."""
    applying = [goal for goal in row.goals if goal.applies_to(size)]
    return next(iter((*applying, *row.goals)), None)


def exit_code(results: Iterable[Result]) -> int:
    """Return 1 when a row is far off its goal, lacks its peer or could not be measured."""
    return int(any(result.verdict in _FAILURES for result in results))


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that at least this share of all values does not exceed.

    Raises:
        ValueError: there are no values.

    Source: the nearest-rank method.
    """
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    rank = -(-len(ordered) * share // 1)  # rounded up
    return ordered[max(0, int(rank) - 1)]


def _compared(shown: Result, row: Row, goal: Goal | None, size: Size) -> Result:
    peers = [sample.peer for sample in shown.samples if sample.peer is not None]
    fields = {name: getattr(shown, name) for name in shown.__struct_fields__}
    if len(peers) < len(shown.samples):
        return Result(**(fields | {"verdict": "no peer", "note": f"{row.peer} is not installed"}))
    if not all(peers):
        return Result(**(fields | {"note": f"{row.peer} gave 0"}))
    ratio = median(sample.ours / sample.peer for sample in shown.samples if sample.peer)
    fields |= {"peer": median(peers), "ratio": ratio}
    if goal is None:
        return Result(**(fields | {"verdict": "no goal"}))
    if not goal.applies_to(size):
        return Result(**(fields | {"verdict": "other size"}))
    return Result(**(fields | {"verdict": goal.judge(ratio)}))
