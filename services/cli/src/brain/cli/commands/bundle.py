"""``brain bundle`` and ``brain gaps``."""

import sys
from typing import Any

import click

from brain.cli.invocation import Invocation
from brain.cli.remote import Remote

#: Characters of a question that are shown; a task may have 10,000.
_SHOWN = 120


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("words", metavar="TASK", nargs=-1, required=True)
@click.option("--max-tokens", type=click.IntRange(1), default=2_000, help="Bounds the text.")
@click.option(
    "--scope", "scopes", multiple=True, help="Only this scope, * for all; may be repeated."
)
@click.option(
    "--path", "paths", multiple=True, help="A code path the task touches; may be repeated."
)
@click.pass_obj
def bundle(
    invocation: Invocation,
    project_id: str,
    words: tuple[str, ...],
    max_tokens: int,
    scopes: tuple[str, ...],
    paths: tuple[str, ...],
) -> None:
    """Compile the best passages for a task into one text within a token budget."""
    answer = Remote(invocation.settings()).send(
        "POST",
        f"/projects/{project_id}/brain/bundle",
        {
            "task": " ".join(words),
            "maxTokens": max_tokens,
            "scopes": list(scopes),
            "paths": list(paths),
        },
    )
    if not invocation.as_json:
        for warning in answer["warnings"]:
            print(warning, file=sys.stderr)
    invocation.answer(answer, answer["text"].rstrip("\n"))


@click.command()
@click.argument("project_id", metavar="ID")
@click.option("--limit", type=click.IntRange(1, 200), default=50)
@click.pass_obj
def gaps(invocation: Invocation, project_id: str, limit: int) -> None:
    """List what was asked and not answered, the most asked first."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/gaps", {"limit": limit}
    )
    lines = [gap_line(gap) for gap in answer["gaps"]]
    if not answer["logged"]:
        lines.append("The words of questions are not kept here.")
    invocation.answer(answer, "\n".join(lines) or "nothing was asked that was not answered")


def gap_line(gap: dict[str, Any]) -> str:
    """Write a gap on one line: how often, why, the beginning of the question, and where asked."""
    query = " ".join(gap["query"].split())
    if len(query) > _SHOWN:
        query = f"{query[: _SHOWN - 1].rstrip()}…"
    return f"{gap['count']:>4}  {gap['reason'].replace('_', ' ')}  {query}  ({gap['name']})"
