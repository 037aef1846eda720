import io
from contextlib import contextmanager

from brain.evaluation.bench.row import Goal, Row, Sample, Size
from brain.evaluation.bench.runner import Group, run_groups

SIZE = Size(documents=10, text_bytes=100, commits=1, idle_s=0)


class Stages:
    """Stages that tell in ``said`` what happened to them."""

    def __init__(self):
        self.said = []

    @contextmanager
    def one(self, setting):
        self.said.append(f"open one for {setting}")
        yield self
        self.said.append("close one")

    @contextmanager
    def broken(self, _setting):
        raise OSError("no server")
        yield


def group(name, stage, *ratios, keys=None):
    def measure(opened, number):
        opened.said.append(f"{name} {number}")
        return {key: Sample(ratios[number], 1.0) for key in keys or [name]}

    rows = tuple(Row(key, f"row {key}", "s", "a peer", (Goal(2),)) for key in keys or [name])
    return Group(name, rows, stage, measure)


def run(groups, rounds):
    return run_groups(groups, "a setting", SIZE, rounds, io.StringIO())


def test_groups_of_a_stage_take_turns():
    stages = Stages()

    run([group("a", stages.one, 1, 1), group("b", stages.one, 1, 1)], 2)

    assert stages.said == ["open one for a setting", "a 0", "b 0", "a 1", "b 1", "close one"]


def test_every_row_is_the_median_of_its_runs():
    stages = Stages()

    results = run([group("a", stages.one, 5.0, 1.0, 3.0), group("b", stages.one, 1, 2, 9)], 3)

    assert [(each.key, each.ratio, each.verdict) for each in results] == [
        ("a", 3.0, "missed"),
        ("b", 2.0, "met"),
    ]


def test_a_group_that_breaks_keeps_its_rows_and_the_others_go_on():
    stages = Stages()
    breaks = group("a", stages.one, 1.0, keys=["x", "y"])  # has a figure for one run only

    results = run([breaks, group("b", stages.one, 1, 1)], 2)

    assert [(each.key, each.verdict, each.note) for each in results] == [
        ("x", "error", "IndexError: tuple index out of range"),
        ("y", "error", "IndexError: tuple index out of range"),
        ("b", "met", ""),
    ]


def test_a_group_that_broke_is_not_measured_again():
    stages = Stages()

    run([group("a", stages.one, 1.0)], 3)

    assert stages.said == ["open one for a setting", "a 0", "a 1", "close one"]


def test_a_stage_that_cannot_be_opened_keeps_its_rows():
    stages = Stages()

    results = run([group("a", stages.broken, 1.0), group("b", stages.one, 1.0)], 1)

    assert [(each.key, each.verdict, each.note) for each in results] == [
        ("a", "error", "OSError: no server"),
        ("b", "met", ""),
    ]


def test_a_row_that_its_group_forgets_is_an_error():
    stages = Stages()
    forgetful = Group(
        "a",
        (Row("x", "row x", "s", "a peer"), Row("y", "row y", "s", "a peer")),
        stages.one,
        lambda _opened, _number: {"x": Sample(1.0, 1.0)},
    )

    results = run([forgetful], 1)

    assert [(each.key, each.verdict) for each in results] == [("x", "no goal"), ("y", "error")]
