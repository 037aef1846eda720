"""Fitting a tree answer: as much detail as the page bears, then as many children as fit."""

from collections.abc import Sequence

import msgspec

from brain.mcp_gateway import fit
from brain.mcp_gateway.listing import (
    DETAILS,
    NAMES,
    Child,
    Detail,
    Landmark,
    landmarks,
    line,
    said,
)
from brain.mcp_gateway.tool import Answer
from brain.query.answers import TreeAnswer
from brain.query.freshness import Freshness
from brain.query.node_view import Crumb, NodeView
from brain.search.tokens import estimate_tokens

_MOST_LANDMARKS = 24
#: Characters of a commit that name it in text; the structured part has it whole.
_SHORT_COMMIT = 12


class TreeStructure(Freshness, frozen=True, rename="camel", kw_only=True):
    """A node with one page of its children, each as `Child` says it."""

    project_id: str
    breadcrumb: list[Crumb]
    node: NodeView
    children: list[Child]
    total: int
    next_offset: int | None
    #: Children beyond the page, so that one can continue where a name must stand.
    landmarks: list[Landmark]
    moved_to: str | None = None
    #: The words it was asked for by; then only children that match are told, best first.
    words: str | msgspec.UnsetType = msgspec.UNSET
    #: Children that match, of *total*; None when nothing could tell.
    matching: int | msgspec.UnsetType | None = msgspec.UNSET
    #: Goes on behind the children that are told; None behind the last that matches.
    next_cursor: str | msgspec.UnsetType | None = msgspec.UNSET
    warnings: list[str] | msgspec.UnsetType = msgspec.UNSET


def fit_tree(answer: TreeAnswer, offset: int, limit: int, max_tokens: int) -> Answer:
    """Show the children from *offset* on within a budget.

    Of as many children as all fit with their summaries the summaries are shown, of more the names.

    Args:
        answer: holds all children from *offset* on, or at least *limit* of them.
        offset: of the answer's first child.
        limit: children at most.
        max_tokens: bounds text and structured part together.

    Raises:
        BudgetTooSmallError: not even one child fits.
    """
    page = answer.children[:limit]
    for detail in DETAILS[:-1]:
        if not _is_bearable(page, answer.node, detail):
            continue
        children = [said(view, answer.node, detail) for view in page]
        whole = _showing(answer, children, len(page), offset)
        if fit.spent(whole) <= max_tokens:
            return whole
    names = [said(view, answer.node, NAMES) for view in page]
    return _as_many_as_fit(answer, names, offset, max_tokens)


def _is_bearable(page: list[NodeView], node: NodeView, detail: Detail) -> bool:
    room = detail.page_tokens
    for view in page:
        room -= estimate_tokens(line(said(view, node, detail), node.id))
        if room < 0:
            return False
    return True


def _as_many_as_fit(
    answer: TreeAnswer, children: list[Child], offset: int, max_tokens: int
) -> Answer:
    costs = [
        fit.cost_of(child) + 1 + estimate_tokens(line(child, answer.node.id)) for child in children
    ]
    return fit.settled(lambda count: _showing(answer, children, count, offset), costs, max_tokens)


def _showing(answer: TreeAnswer, children: list[Child], count: int, offset: int) -> Answer:
    end = offset + count
    is_last = end >= answer.total
    beyond = [] if is_last else landmarks(answer.children, answer.node.id, count, _MOST_LANDMARKS)
    shown = TreeStructure(
        **{name: getattr(answer, name) for name in Freshness.__struct_fields__},
        project_id=answer.project_id,
        breadcrumb=answer.breadcrumb,
        node=answer.node,
        children=children[:count],
        total=answer.total,
        next_offset=None if is_last else end,
        landmarks=[Landmark(offset + mark.offset, mark.name) for mark in beyond],
        moved_to=answer.moved_to,
        words=answer.words,
        matching=answer.matching,
        next_cursor=answer.next_cursor,
        warnings=answer.warnings,
    )
    return Answer(_text(shown, offset), shown)


def _text(shown: TreeStructure, offset: int) -> str:
    text = head_text(shown)
    if shown.total:
        text += f"{_counted(shown, offset)}\n"
    text += "".join(line(child, shown.node.id) for child in shown.children)
    if shown.next_offset is not None:
        ahead = " · ".join(f"{mark.offset} {mark.name}" for mark in shown.landmarks[1:])
        text += f"Continue with offset {shown.next_offset}" + (
            f"; ahead: {ahead}\n" if ahead else ".\n"
        )
    return text


def head_text(shown: TreeStructure) -> str:
    """Write what is said of a node before its children."""
    behind = f", {shown.behind_by} commits behind" if shown.behind_by else ""
    commit = shown.commit[:_SHORT_COMMIT]
    text = f"{shown.project_id} at {commit} ({shown.branch}{behind})\n"
    node = shown.node
    status = f" [{node.status}]" if isinstance(node.status, str) else ""
    title = f" {node.title}" if node.kind not in ("folder", "root") else ""
    text += f"{node.id}{status}{title} ({node.tokens} tokens): {node.summary}\n"
    if shown.moved_to:
        text += f"Asked for by its former name; it is {shown.moved_to} at this commit.\n"
    if isinstance(shown.warnings, list):
        text += "".join(f"{warning}\n" for warning in shown.warnings)
    return text


def _counted(shown: TreeStructure, offset: int) -> str:
    first, last = offset + 1, offset + len(shown.children)
    told = f"{shown.total} children"
    if (first, last) != (1, shown.total):
        told = f"Children {first} to {last} of {shown.total}"
    notes = notes_on(shown.children)
    return f"{told} ({', '.join(notes)}):" if notes else f"{told}:"


def notes_on(children: Sequence[Child]) -> list[str]:
    """Say how listed children are written where they are written briefly."""
    notes = []
    if any(map(_has_rounded_size, children)):
        notes.append("folders with their tokens")
    if any(map(_is_brief_document, children)):
        notes.append("documents without their .md")
    return notes


def _has_rounded_size(child: Child) -> bool:
    return child.kind is msgspec.UNSET and child.tokens is not msgspec.UNSET


def _is_brief_document(child: Child) -> bool:
    return child.kind is msgspec.UNSET and child.id.endswith(".md")
