"""Nodes as people read them in a terminal."""

import shutil
import sys
from typing import Any

from brain.cli.report import colored, styled

_SUMMARY_INDENT = "    "


def tree_text(answer: dict[str, Any]) -> str:
    """Write a node and its children, each with its summary beneath.

    On a terminal a line is cut at its width; elsewhere it is whole.
    """
    above = [crumb["id"] for crumb in answer["breadcrumb"]]
    lines = [_cut(styled_id(" > ".join(above)))] if above else []
    lines += [*node_lines(answer["node"]), ""]
    for child in answer["children"]:
        lines += node_lines(child, "  ")
        lines += [_place_line(place) for place in child.get("best") or []]
        for each in child.get("children") or []:
            lines += node_lines(each, "    ")
    if answer["nextOffset"] is not None:
        left = answer["total"] - answer["nextOffset"]
        lines.append(f"  … {left} more: --offset {answer['nextOffset']}")
    return "\n".join([*lines, *_told_of_words(answer)]).rstrip()


def _place_line(place: dict[str, Any]) -> str:
    """Write where beneath a child words are met."""
    where = f"{place['lineStart']}-{place['lineEnd']}"
    status = f"  [{place['status']}]" if place.get("status") else ""
    titles = dict.fromkeys((place["documentTitle"], place["title"]))
    match = f"{place['match']:.2f}"
    return _cut(f"    > {place['id']}:{where}  {match}  {' > '.join(titles)}{status}")


def _told_of_words(answer: dict[str, Any]) -> list[str]:
    """Say how many children match the words they were asked for by, and how to go on."""
    lines = [styled(warning, "2", sys.stdout) for warning in answer.get("warnings", ())]
    if answer.get("matching"):
        lines.append(f"  {answer['matching']} of {answer['total']} children match")
    if answer.get("nextCursor"):
        lines.append(f"  … and more: --cursor {answer['nextCursor']}")
    return lines


def node_lines(node: dict[str, Any], indent: str = "") -> list[str]:
    """Write a node's id, title and status on one line, its summary on the next."""
    status = f"  [{node['status']}]" if node.get("status") else ""
    title = f"  {node['title']}" if _adds_something(node) else ""
    first = _cut(f"{indent}{node['id']}{title}{status}")
    head = first.removeprefix(f"{indent}{node['id']}")
    lines = [first if head == first else f"{indent}{styled_id(node['id'])}{head}"]
    if node["summary"]:
        lines.append(styled(_cut(f"{indent}{_SUMMARY_INDENT}{node['summary']}"), "2", sys.stdout))
    return lines


def styled_id(node_id: str) -> str:
    """Make a node id stand out."""
    return styled(node_id, "36", sys.stdout)


def _adds_something(node: dict[str, Any]) -> bool:
    """Tell whether the title says more than the id."""
    name = node["id"].rstrip("/").rpartition("/")[2]
    return node["title"] not in (node["id"], name)


def _cut(line: str) -> str:
    if not colored(sys.stdout):
        return line
    width = shutil.get_terminal_size().columns
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"
