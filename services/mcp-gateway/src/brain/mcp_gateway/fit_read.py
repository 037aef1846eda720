"""Fitting a read: lists give way first, then text at whole lines."""

from collections.abc import Sequence

import msgspec

from brain.mcp_gateway import fit, render
from brain.mcp_gateway.tool import Answer
from brain.query.answers import ReadAnswer
from brain.query.errors import BudgetTooSmallError
from brain.query.freshness import Freshness
from brain.query.links import IncomingLink, OutgoingLink
from brain.query.node_view import Crumb, NodeView
from brain.query.read import Citation
from brain.search.tokens import estimate_tokens


class ReadStructure(Freshness, frozen=True, rename="camel", kw_only=True):
    """What brain_read says besides the text, which stands once, in the text block."""

    project_id: str
    node: NodeView
    breadcrumb: list[Crumb]
    citation: Citation | None
    children: list[NodeView]
    outgoing: list[OutgoingLink]
    outgoing_total: int
    incoming: list[IncomingLink]
    incoming_total: int
    truncated: bool
    next_line: int | None
    #: Where the node asked for is now, when its document or heading was renamed.
    moved_to: str | None = None


class _Lists(msgspec.Struct, frozen=True):
    """The lists of a read that are shown."""

    children: Sequence[NodeView] = ()
    outgoing: Sequence[OutgoingLink] = ()
    incoming: Sequence[IncomingLink] = ()


def fit_read(answer: ReadAnswer, max_tokens: int) -> Answer:
    """Fit a read into a budget: a third of the room for lists, more when the text is short.

    Raises:
        BudgetTooSmallError: not even one line fits without any list.
    """
    lines = answer.text.split("\n")
    costs = [estimate_tokens(line + "\n") for line in lines]
    room = max_tokens - fit.spent(_showing(answer, _Lists(), lines, 1))
    lists = _fit_lists(answer, max(room // 3, room - sum(costs)))
    try:
        return _fit_lines(answer, lists, lines, costs, max_tokens)
    except BudgetTooSmallError:
        return _fit_lines(answer, _Lists(), lines, costs, max_tokens)


def _fit_lists(answer: ReadAnswer, room: int) -> _Lists:
    children, room = fit.take(answer.children, [*map(fit.cost_of, answer.children)], room)
    outgoing, room = fit.take(answer.outgoing, [*map(fit.cost_of, answer.outgoing)], room)
    incoming, room = fit.take(answer.incoming, [*map(fit.cost_of, answer.incoming)], room)
    return _Lists(children, outgoing, incoming)


def _fit_lines(
    answer: ReadAnswer, lists: _Lists, lines: list[str], costs: list[int], max_tokens: int
) -> Answer:
    room = max_tokens - fit.spent(_showing(answer, lists, lines, 1)) + costs[0]
    taken, _ = fit.take(lines, costs, room)
    return fit.settle(
        lambda count: _showing(answer, lists, lines, count), max_tokens, guess=len(taken), least=1
    )


def _showing(answer: ReadAnswer, lists: _Lists, lines: list[str], count: int) -> Answer:
    """Make the answer that shows the first *count* lines."""
    fields = {name: getattr(answer, name) for name in ReadStructure.__struct_fields__}
    fields |= {"children": list(lists.children), "outgoing": list(lists.outgoing)}
    fields["incoming"] = list(lists.incoming)
    structure = ReadStructure(**fields)
    if count < len(lines) and answer.citation:
        last = answer.citation.line_start + count - 1
        structure = msgspec.structs.replace(
            structure,
            citation=msgspec.structs.replace(answer.citation, line_end=last),
            truncated=True,
            next_line=last + 1,
        )
    return Answer(_text(structure, "\n".join(lines[:count])), structure)


def _text(structure: ReadStructure, text: str) -> str:
    lines = [render.heading(structure, structure.project_id)]
    citation = structure.citation
    if citation is None:
        lines.append(f"{structure.node.id} has no text of its own; its children are listed.")
        return "\n".join(lines) + "\n"
    span = f"{citation.line_start}-{citation.line_end}"
    lines.append(f"Cite as {citation.path}:{span} at this commit, naming only the lines you use.")
    lines.append(render.envelope(text, f'node="{citation.node_id}" lines="{span}"'))
    if structure.next_line is not None:
        lines.append(f"There is more: continue with fromLine {structure.next_line}.")
    return "\n".join(lines) + "\n"
