"""``python -m brain.evaluation navigate``: walk a golden file's questions through a project."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from brain.evaluation.golden import GoldenError, Question, read_golden
from brain.evaluation.navigation import BUDGET_TOKENS, PAGE_TOKENS, Walk, report, walk
from brain.evaluation.sight import sight


def main(argv: Sequence[str]) -> int:
    """Run one evaluation; prints JSON, exits 1 below ``--least``."""
    parser = argparse.ArgumentParser(prog="python -m brain.evaluation")
    commands = parser.add_subparsers(dest="command", required=True)
    navigate = commands.add_parser("navigate", help="walk questions through the tree")
    navigate.add_argument("--project", required=True)
    navigate.add_argument("--golden", required=True, type=Path, nargs="+")
    navigate.add_argument("--data", type=Path, required=True, help="data folder of the instance")
    navigate.add_argument("--budget", type=int, default=BUDGET_TOKENS)
    navigate.add_argument("--page", type=int, default=PAGE_TOKENS)
    navigate.add_argument("--least", type=float, default=0.0, help="share that must be reached")
    navigate.add_argument("--walks", action="store_true", help="print every walk")
    options = parser.parse_args(argv)
    try:
        questions = [each for path in options.golden for each in read_golden(path).questions]
    except GoldenError as error:
        print(error, file=sys.stderr)
        return 2
    instance = json.loads((options.data / "instance.json").read_text(encoding="utf-8"))
    walks = asyncio.run(
        _walks(instance, options.project, questions, (options.budget, options.page))
    )
    if options.walks:
        for each in walks:
            print(json.dumps([each.question, each.reached, each.tokens, each.opened]))
    result = report(walks, questions)
    print(json.dumps(result, indent=2))
    return 0 if result["reached"] >= options.least else 1


async def _walks(
    instance: dict[str, str],
    project_id: str,
    questions: Sequence[Question],
    limits: tuple[int, int],
) -> list[Walk]:
    budget, page = limits
    async with sight(instance["mcpUrl"], instance["token"], project_id) as look:
        return [await walk(each, look, budget=budget, page=page) for each in questions]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
