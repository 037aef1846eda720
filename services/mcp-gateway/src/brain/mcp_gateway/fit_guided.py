"""Fitting a tree answer to words: the best children first, each with where to go beneath it."""

import msgspec

from brain.mcp_gateway import fit
from brain.mcp_gateway.fit_tree import TreeStructure, head_text, notes_on
from brain.mcp_gateway.listing import DETAILS, Child, Detail, line, said
from brain.mcp_gateway.tool import Answer
from brain.query.answers import GuidedAnswer
from brain.query.freshness import Freshness
from brain.search.tokens import estimate_tokens

#: What is said of each child where not all of them can be told whole.
_BRIEF = Detail(90, 700)


def fit_guided(guided: GuidedAnswer, limit: int, max_tokens: int) -> Answer:
    """Show the children that match, as many as a page bears and a budget holds.

    The best come first, so a page is short: a few whole, more of them in a line each.

    Args:
        guided: with at least one child that matches.
        limit: children at most.
        max_tokens: bounds text and structured part together.

    Raises:
        BudgetTooSmallError: not even one child fits.
    """
    node, views = guided.tree.node, guided.tree.children[:limit]
    whole = [said(view, node, DETAILS[0]) for view in views]
    if _bearable(whole, node.id, DETAILS[0].page_tokens) == len(whole):
        answer = _showing(guided, whole, len(whole))
        if fit.spent(answer) <= max_tokens:
            return answer
    brief = [said(view, node, _BRIEF) for view in views]
    brief = brief[: max(1, _bearable(brief, node.id, _BRIEF.page_tokens))]
    costs = [fit.cost_of(child) + 1 + estimate_tokens(line(child, node.id)) for child in brief]
    return fit.settled(lambda count: _showing(guided, brief, count), costs, max_tokens)


def _bearable(children: list[Child], parent_id: str, room: int) -> int:
    """Return how many of the first children a page bears."""
    costs = [estimate_tokens(line(child, parent_id)) for child in children]
    return len(fit.take(children, costs, room)[0])


def _showing(guided: GuidedAnswer, children: list[Child], count: int) -> Answer:
    tree = guided.tree
    end = guided.offset + count
    is_last = end >= (tree.matching or 0)
    shown = TreeStructure(
        **{name: getattr(tree, name) for name in Freshness.__struct_fields__},
        project_id=tree.project_id,
        breadcrumb=tree.breadcrumb,
        node=tree.node,
        children=children[:count],
        total=tree.total,
        next_offset=None,
        landmarks=[],
        moved_to=tree.moved_to,
        words=tree.words,
        matching=tree.matching,
        next_cursor=None if is_last else guided.pages.at(end),
        warnings=tree.warnings,
    )
    return Answer(_text(shown, guided.offset), shown)


def _text(shown: TreeStructure, offset: int) -> str:
    notes = ["best first, 1.00 at most", *notes_on(shown.children)]
    if any(child.best is not msgspec.UNSET for child in shown.children):
        notes.append("> where beneath them, with lines")
    told = f"{shown.matching} of {shown.total} children match"
    if offset or len(shown.children) != shown.matching:
        told += f", here {offset + 1} to {offset + len(shown.children)}"
    text = head_text(shown) + f"{told} ({', '.join(notes)}):\n"
    text += "".join(line(child, shown.node.id) for child in shown.children)
    if isinstance(shown.next_cursor, str):
        text += f"Continue with cursor {shown.next_cursor}.\n"
    return text
