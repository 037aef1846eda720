"""The report: a table for people and JSON for whoever compares runs."""

from collections.abc import Sequence

import msgspec

from brain.evaluation.bench.row import Result, Size

_HEAD = ("", "ours", "peer", "ratio", "goal", "verdict", "compared with")


class Report(msgspec.Struct, frozen=True):
    """One run of the bench."""

    repository: str
    size: Size
    rounds: int
    #: Of the machine, when the run ended: others may have slowed it.
    load_average: tuple[float, float, float]
    results: tuple[Result, ...]


def table(report: Report) -> str:
    """Write the table, one line a row, with the notes of what went wrong below it."""
    lines = [_HEAD, *(_cells(result) for result in report.results)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEAD))]
    size = report.size
    title = (
        f"{report.repository}: {size.documents:,} documents, {size.text_bytes / 1e6:.1f} MB, "
        f"{size.commits:,} commits; median of {report.rounds}"
    )
    notes = [f"{each.key}: {each.note}" for each in report.results if each.note]
    return "\n".join(
        [title, "", *(_line(line, widths) for line in lines), *([""] if notes else []), *notes]
    )


def _cells(result: Result) -> tuple[str, ...]:
    sign = "≥" if result.at_least else "≤"
    return (
        result.title,
        _figure(result.ours, result.unit),
        _figure(result.peer, result.unit),
        "-" if result.ratio is None else f"{result.ratio:.2f}",
        "-" if result.goal is None else f"{sign} {result.goal:g}",
        result.verdict,
        result.peer_name,
    )


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    digits = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits
    return f"{digits} {unit}".rstrip()


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    left, *rest = zip(cells, widths, strict=True)
    middle = (cell.rjust(width) for cell, width in rest[:-2])
    end = (cell.ljust(width) for cell, width in rest[-2:])
    return "  ".join((left[0].ljust(left[1]), *middle, *end)).rstrip()
