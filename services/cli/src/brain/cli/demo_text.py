"""What ``brain demo`` tells a person who sees Brain for the first time."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brain.cli.agents import claude_line, cursor_json, vscode_json
from brain.cli.instance import Instance
from brain.cli.proof import Proof
from brain.cli.report import counted, styled


def demo_text(
    instance: Instance,
    status: dict[str, Any],
    proof: Proof | None,
    repository: Path | None,
    *,
    already: bool,
) -> str:
    """Write where the instance is reached, an answer with its lines, and how to go on.

    Args:
        instance: the running one.
        status: of the project that was indexed.
        proof: the answered question; None when the repository has no text.
        repository: where Git shows the same lines; None when that could not be checked.
        already: the instance ran before, and stays.
    """
    parts = [
        _reach(instance, status),
        _answered(proof, repository) if proof else "  There is no Markdown with text in it.",
        _connect(instance),
        _next(instance, status, already=already),
    ]
    return "\n" + "\n\n".join(parts) + "\n"


def _reach(instance: Instance, status: dict[str, Any]) -> str:
    counts = status["counts"]
    nodes = counts.get("sections", 0) + counts.get("cards", 0)
    size = f"{counted(counts.get('documents', 0), 'document')} and {counted(nodes, 'heading')}"
    title = _bold(f"{status['id']} is indexed: {size}, at {status['commit'][:12]}")
    rows = {
        "REST": f"{instance.rest_url}/docs",
        "MCP": instance.mcp_url,
        "Token": instance.token,
        "Data": instance.data_folder,
    }
    table = "\n".join(f"    {name:<10}{value}" for name, value in rows.items())
    return f"  {title}\n\n{table}"


def _answered(proof: Proof, repository: Path | None) -> str:
    digits = len(str(proof.line_end))
    numbered = enumerate(proof.lines, start=proof.line_start)
    lines = "\n".join(f"    {_dim(f'{number:>{digits}}')}  {line}" for number, line in numbered)
    rows = {
        "Climbed": " > ".join(_steps(proof.trail)),
        "Cited": proof.citation,
        "Checked": _checked(proof, repository),
    }
    table = "\n".join(f"    {name:<10}{value}" for name, value in rows.items())
    return f"  {_bold(proof.question)}\n\n{lines}\n\n{table}"


def _steps(trail: tuple[str, ...]) -> Iterator[str]:
    """Yield each node id without what the one before it says already."""
    above = ""
    for node_id in trail:
        yield node_id.removeprefix(above).removeprefix(above.partition("#")[0])
        above = "" if node_id == "/" else node_id


def _checked(proof: Proof, repository: Path | None) -> str:
    if repository is None:
        return "could not be compared with Git here"
    blob = shlex.quote(f"{proof.commit[:12]}:{proof.path}")
    span = f"{proof.line_start},{proof.line_end}p"
    show = f"git -C {shlex.quote(str(repository))} show {blob}"
    return f"Git has the same lines:\n    {'':<10}{show} | sed -n {span}"


def _connect(instance: Instance) -> str:
    url, token = instance.mcp_url, instance.token
    ways = {
        "Claude Code": claude_line(url, token),
        "Cursor, ~/.cursor/mcp.json": cursor_json(url, token),
        "VS Code, .vscode/mcp.json": vscode_json(url, token),
    }
    shown = [f"    {name}\n\n{_indented(text)}" for name, text in ways.items()]
    return f"  {_bold('Point an agent at it')}\n\n" + "\n\n".join(shown)


def _next(instance: Instance, status: dict[str, Any], *, already: bool) -> str:
    program = Path(sys.executable).parent / "brain"
    brain = f"{shlex.quote(str(program))} --data {shlex.quote(instance.data_folder)}"
    words = (f"tree {status['id']}", f"grep {status['id']} WORDS", "status")
    look = "\n".join(f"    {brain} {each}" for each in words)
    stop = (
        f"It ran already and stays; stop it with: {brain} down" if already else "Ctrl-C stops it."
    )
    return f"  {_bold('Look around')}\n\n{look}\n\n  {stop}"


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.split("\n"))


def _bold(text: str) -> str:
    return styled(text, "1", sys.stdout)


def _dim(text: str) -> str:
    return styled(text, "2", sys.stdout)
