"""The bench's command: ``python -m brain.evaluation.bench``, or ``make bench``."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from brain.evaluation.bench.groups import GROUPS
from brain.evaluation.bench.report import Report, table
from brain.evaluation.bench.repository import borrow
from brain.evaluation.bench.runner import run_groups
from brain.evaluation.bench.setting import BRIEF, Effort, Setting
from brain.evaluation.bench.settings import neutral_environment
from brain.evaluation.bench.synthetic import make_repository
from brain.evaluation.bench.verdict import exit_code
from brain.testkit.scratch_folder import scratch_folder


def main(argv: Sequence[str]) -> int:
    """Run the bench; returns 1 when a row is far off, lacks its peer or could not be measured."""
    options = _options().parse_args(argv)
    with scratch_folder() as folder:
        report = _measured(options, folder)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    print(table(report))
    print(f"\n{options.json}")
    return exit_code(report.results)


def _measured(options: argparse.Namespace, folder: Path) -> Report:
    source = options.repo
    if source is None:
        source = folder / "synthetic.git"
        make_repository(source, options.documents)
    setting = Setting(
        folder=folder,
        whole=borrow(source, folder / "whole.git"),
        effort=BRIEF if options.brief else Effort(),
        idle_s=options.idle,
        environment=neutral_environment(),
    )
    size = setting.size()
    chosen = [group for group in GROUPS if not options.only or group.name in options.only]
    results = run_groups(chosen, setting, size, options.rounds, sys.stderr)
    name = "synthetic" if options.repo is None else str(options.repo)
    return Report(name, size, options.rounds, os.getloadavg(), tuple(results))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    add = parser.add_argument
    add("--repo", type=lambda text: Path(text).absolute(), help="any Git repository with Markdown")
    add("--documents", type=int, default=2_000, help="of the repository that is made otherwise")
    add("--rounds", type=int, default=5, help="runs whose median counts")
    add("--idle", type=float, default=15.0, metavar="SECONDS", help="before idling is looked at")
    add("--json", type=Path, default=Path("eval/results/bench.json"), help="where the JSON goes")
    add("--brief", action="store_true", help="too short to mean anything: shows that it works")
    names = [group.name for group in GROUPS]
    add("--only", action="append", choices=names, help="a group of rows; may be repeated")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
