"""A question answered from an index: climbed, read, cited, and compared with Git."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from brain.cli.remote import Remote

#: Lines that are shown of an answer.
SHOWN_LINES = 6
_GIT_S = 30.0


class Proof(NamedTuple):
    """An answer with the lines it stands on."""

    question: str
    #: Node ids from the root to the node that was read.
    trail: tuple[str, ...]
    path: str
    line_start: int
    line_end: int
    commit: str
    lines: tuple[str, ...]

    @property
    def citation(self) -> str:
        """Return ``path:from-to@commit``, the commit shortened."""
        return f"{self.path}:{self.line_start}-{self.line_end}@{self.commit[:12]}"


def answer(remote: Remote, project_id: str, question: str, node: str) -> Proof:
    """Climb to a node, read it, and cite its first lines of text.

    The heading is left out, and at most `SHOWN_LINES` lines are cited.

    Raises:
        ProblemError: there is no such node.
    """
    tree = f"/projects/{project_id}/brain/tree"
    there = remote.get(tree, {"node": node, "limit": 1})
    trail = [*(crumb["id"] for crumb in there["breadcrumb"]), there["node"]["id"]]
    read = remote.get(f"/projects/{project_id}/brain/node", {"node": node, "scope": "node"})
    citation = read["citation"]
    skipped, lines = _first_lines(read["text"].split("\n"))
    start = citation["lineStart"] + skipped
    return Proof(
        question=question,
        trail=tuple(dict.fromkeys(trail)),
        path=citation["path"],
        line_start=start,
        line_end=start + len(lines) - 1,
        commit=citation["commit"],
        lines=tuple(lines),
    )


def first_worth_asking(remote: Remote, project_id: str) -> dict[str, Any] | None:
    """Return the first section that says something, else the first document, else None."""
    fallback = None
    with remote.lines(f"/projects/{project_id}/brain/outline") as lines:
        for line in lines:
            node: dict[str, Any] = json.loads(line)
            if node["kind"] in ("section", "card") and node["ownLineEnd"] - node["lineStart"] > 1:
                return node
            if fallback is None and node["kind"] == "document":
                fallback = node
    return fallback


def lines_in_git(repository: Path, proof: Proof) -> tuple[str, ...] | None:
    """Return the cited lines as the git program gives them; None when it cannot.

    Args:
        repository: a bare repository, or one with a working tree.
        proof: what to look up.
    """
    # Imported here: it starts processes, which no other command does.
    from brain.gitmirror.git_command import run_git  # noqa: PLC0415

    blob = f"{proof.commit}:{proof.path}"
    shown = run_git(["-C", str(repository), "cat-file", "blob", blob], deadline_s=_GIT_S)
    if shown.status != 0:
        return None
    text = shown.stdout.decode(errors="replace").split("\n")
    return tuple(line.rstrip("\r") for line in text[proof.line_start - 1 : proof.line_end])


def _first_lines(lines: list[str]) -> tuple[int, list[str]]:
    """Return how many lines stand before the text, and the text's first ones."""
    skipped = 0
    while skipped < len(lines) - 1 and _is_no_text(lines[skipped]):
        skipped += 1
    shown = [line.rstrip("\r") for line in lines[skipped : skipped + SHOWN_LINES]]
    while len(shown) > 1 and not shown[-1].strip():
        shown.pop()
    return skipped, shown


def _is_no_text(line: str) -> bool:
    stripped = line.strip()
    return not stripped or stripped.startswith("#") or set(stripped) <= {"=", "-"}
