"""``brain changes``, ``cite``, ``broken`` and ``backlinks``."""

from typing import Any

import click

from brain.cli.invocation import Invocation
from brain.cli.remote import Remote

_SIGNS = {"added": "A", "modified": "M", "deleted": "D", "renamed": "R"}


@click.command()
@click.argument("project_id", metavar="ID")
@click.option("--since", required=True, metavar="COMMIT", help="An earlier commit.")
@click.option("--under", metavar="PATH", help="Only in this folder or document.")
@click.pass_obj
def changes(invocation: Invocation, project_id: str, since: str, under: str | None) -> None:
    """Show what changed from an earlier commit to the indexed one."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/changes", {"since": since, "under": under}
    )
    invocation.answer(answer, _changes_text(answer))


@click.command()
@click.argument("project_id", metavar="ID")
@click.option("--path", "cited_path", required=True, help="Of the document, back then.")
@click.option("--lines", required=True, metavar="A-B", help="The cited lines.")
@click.option("--commit", required=True, help="Of the citation.")
@click.pass_obj
def cite(invocation: Invocation, project_id: str, cited_path: str, lines: str, commit: str) -> None:
    """Find where the lines of an old citation are now."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/cite",
        {"path": cited_path, "lines": lines, "commit": commit},
    )
    where = (
        f"{answer['path']}:{answer['lineStart']}-{answer['lineEnd']} @ {answer['commit'][:12]}"
        if answer["lineStart"]
        else answer["path"]
    )
    invocation.answer(answer, f"{answer['state']}  {where}")


@click.command()
@click.argument("project_id", metavar="ID")
@click.option("--causes-from", type=click.IntRange(0), help="Explain links from this one on.")
@click.option("--causes", type=click.IntRange(1, 20), default=20, help="How many to explain.")
@click.pass_obj
def broken(invocation: Invocation, project_id: str, causes_from: int | None, causes: int) -> None:
    """List the links that lead nowhere."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/broken",
        {"causesFrom": causes_from, "causes": causes if causes_from is not None else None},
    )
    lines = [_broken_line(link) for link in answer["links"]]
    if answer["truncated"]:
        lines.append(f"… {answer['total'] - len(answer['links'])} more")
    invocation.answer(answer, "\n".join(lines) or "no broken links")


@click.command()
@click.argument("project_id", metavar="ID")
@click.argument("node")
@click.option("--offset", type=click.IntRange(0), default=0)
@click.option("--limit", type=click.IntRange(1, 100), default=20)
@click.pass_obj
def backlinks(invocation: Invocation, project_id: str, node: str, offset: int, limit: int) -> None:
    """List the links from other pages to a page, a heading or a card."""
    answer = Remote(invocation.settings()).get(
        f"/projects/{project_id}/brain/backlinks",
        {"node": node, "offset": offset, "limit": limit},
    )
    lines = [
        f"{item['node']['path']}:{item['line']}  {item['node']['title']}  ->  {item['target']}"
        for item in answer["items"]
    ]
    if answer["nextOffset"] is not None:
        lines.append(f"… {answer['total'] - answer['nextOffset']} more")
    invocation.answer(answer, "\n".join(lines) or f"nothing links to {node}")


def _changes_text(answer: dict[str, Any]) -> str:
    lines = [f"{answer['from'][:12]} -> {answer['commit'][:12]}"]
    for each in answer["documents"]:
        came = f"{each['oldPath']} -> " if each["oldPath"] else ""
        count = f"  +{each['added']} -{each['removed']}" if each["added"] is not None else ""
        lines.append(f"{_SIGNS[each['status']]} {came}{each['path']}{count}")
        lines += [f"    {_SIGNS[part['status']]} {part['title']}" for part in each["sections"]]
    if answer["truncated"]:
        lines.append(f"… {answer['total'] - len(answer['documents'])} more documents")
    if answer["renames"] == "partial":
        lines.append("so many files changed that some renames may show as removed and added")
    return "\n".join(lines)


def _broken_line(link: dict[str, Any]) -> str:
    cause, foreign = link.get("cause"), link.get("foreign")
    why = f"  (as {foreign['dialect']} names it; here #{foreign['anchor']})" if foreign else ""
    if isinstance(cause, dict):
        moved = f", now probably {cause['likelyTarget']}" if cause["likelyTarget"] else ""
        why = f"  (since {cause['commit'][:12]} {cause['message']}{moved})"
    return f"{link['from']}:{link['line']}  {link['kind']}  {link['target']}{why}"
