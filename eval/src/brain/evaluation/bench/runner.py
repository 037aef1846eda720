"""The runner: opens what rows need, measures them in turns, and loses none of them."""

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Any, TextIO

import msgspec

from brain.evaluation.bench.row import Result, Row, Sample, Size
from brain.evaluation.bench.verdict import result_of

#: Opens what groups need, such as a running instance; an argument is the bench's setting.
Stage = Callable[[Any], AbstractContextManager[Any]]
#: Given what the stage opened and the number of the run, returns a sample for every row.
Measure = Callable[[Any, int], Mapping[str, Sample]]


class Group(msgspec.Struct, frozen=True):
    """Rows that are measured together. Neighbours with the same stage share what it opens."""

    name: str
    rows: tuple[Row, ...]
    stage: Stage
    measure: Measure


class _Gathered(msgspec.Struct):
    """What the runs of one group gave so far."""

    group: Group
    samples: dict[str, list[Sample]]
    note: str = ""


def run_groups(
    groups: Sequence[Group], setting: object, size: Size, rounds: int, log: TextIO
) -> list[Result]:
    """Measure every row in each of several runs; the groups of a stage take turns.

    A group that breaks is not measured again, and its rows say why: no row is left out.

    Args:
        groups: in the order of the table.
        setting: handed to the stages.
        size: of this run; decides which goals apply.
        rounds: runs of each row.
        log: told what is being measured.

    Returns:
        One result a row, in the order of the groups.
    """
    results: list[Result] = []
    for _, sharing in groupby(groups, key=lambda group: group.stage):
        gathered = [_Gathered(group, {}) for group in sharing]
        _run_stage(gathered, setting, rounds, log)
        results += _results(gathered, size)
    return results


def _run_stage(gathered: Sequence[_Gathered], setting: object, rounds: int, log: TextIO) -> None:
    stage = gathered[0].group.stage
    try:
        with stage(setting) as opened:
            for number in range(rounds):
                _run_round(gathered, opened, number, log)
    except Exception as error:  # noqa: BLE001 - whatever broke, the table must show it
        _broke(gathered, error, log)


def _run_round(gathered: Sequence[_Gathered], opened: object, number: int, log: TextIO) -> None:
    for each in gathered:
        if each.note:
            continue
        print(f"run {number + 1}: {each.group.name}", file=log, flush=True)
        try:
            measured = each.group.measure(opened, number)
        except Exception as error:  # noqa: BLE001 - as above
            _broke([each], error, log)
            continue
        for key, sample in measured.items():
            each.samples.setdefault(key, []).append(sample)


def _broke(gathered: Iterable[_Gathered], error: Exception, log: TextIO) -> None:
    traceback.print_exception(error, file=log)
    for each in gathered:
        each.note = each.note or f"{type(error).__name__}: {error}"[:300]


def _results(gathered: Sequence[_Gathered], size: Size) -> Iterator[Result]:
    for each in gathered:
        for row in each.group.rows:
            yield result_of(row, each.samples.get(row.key, ()), size, each.note)
