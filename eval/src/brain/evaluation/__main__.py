"""``python -m brain.evaluation``: walk golden questions, or show a sample of summaries."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx

from brain.assessment.errors import GoldenError
from brain.assessment.golden import Question, read_golden
from brain.evaluation.model import ModelChooser, ModelError
from brain.evaluation.navigation import BUDGET_TOKENS, PAGE_TOKENS, Walk, report, walk
from brain.evaluation.sight import sight
from brain.evaluation.summaries import SAMPLE, sample_of


def main(argv: Sequence[str]) -> int:
    """Run one evaluation; prints JSON, exits 1 below ``--least`` and 2 where it cannot run."""
    options = _parser().parse_args(argv)
    instance = json.loads((options.data / "instance.json").read_text(encoding="utf-8"))
    try:
        return int(options.run(instance, options))
    except (GoldenError, ModelError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m brain.evaluation")
    commands = parser.add_subparsers(dest="command", required=True)
    navigate = commands.add_parser("navigate", help="walk questions through the tree")
    summaries = commands.add_parser("summaries", help="print a sample of nodes to judge")
    for command in (navigate, summaries):
        command.add_argument("--project", required=True)
        command.add_argument("--data", type=Path, required=True, help="data folder")
    navigate.set_defaults(run=_navigate)
    navigate.add_argument("--golden", required=True, type=Path, nargs="+")
    navigate.add_argument("--budget", type=int, default=BUDGET_TOKENS)
    navigate.add_argument("--page", type=int, default=PAGE_TOKENS)
    navigate.add_argument("--least", type=float, default=0.0, help="share that must be reached")
    navigate.add_argument(
        "--words",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="open folders with the words of the question",
    )
    navigate.add_argument("--walks", action="store_true", help="print every walk")
    navigate.add_argument(
        "--model", nargs=2, metavar=("URL", "NAME"), help="let a model choose, such as .../v1 NAME"
    )
    summaries.set_defaults(run=_summaries)
    summaries.add_argument("--nodes", type=int, default=SAMPLE)
    summaries.add_argument("--under", default="", help="only of this folder")
    return parser


def _navigate(instance: dict[str, str], options: argparse.Namespace) -> int:
    asked = [each for path in options.golden for each in read_golden(path).questions]
    questions = [each for each in asked if each.is_answerable]
    walks = asyncio.run(_walks(instance, options, questions))
    if options.walks:
        for each in walks:
            print(json.dumps([each.question, each.reached, each.tokens, each.opened]))
    result = report(walks, questions)
    print(json.dumps(result, indent=2))
    return 0 if result["reached"] >= options.least else 1


async def _walks(
    instance: dict[str, str], options: argparse.Namespace, questions: Sequence[Question]
) -> list[Walk]:
    place = sight(instance["mcpUrl"], instance["token"], options.project)
    async with place as look, httpx.AsyncClient(timeout=120.0) as http:
        return [
            await walk(
                each,
                look,
                budget=options.budget,
                page=options.page,
                chooser=_chooser(http, options.model, each.question),
                with_words=options.words,
            )
            for each in questions
        ]


def _chooser(
    http: httpx.AsyncClient, model: Sequence[str] | None, question: str
) -> ModelChooser | None:
    if model is None:
        return None
    url, name = model
    return ModelChooser(http, url, name, question)


def _summaries(instance: dict[str, str], options: argparse.Namespace) -> int:
    for node in sample_of(instance, options.project, options.nodes, options.under):
        print(json.dumps(node, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
