"""Fitting a whole document: links give way first, then text at whole lines."""

from collections.abc import Sequence

import msgspec

from brain.mcp_gateway import fit, render
from brain.mcp_gateway.tool import Answer
from brain.query.errors import BudgetTooSmallError
from brain.query.freshness import PlainFreshness
from brain.query.whole_document import DocumentAnswer, PlainLink
from brain.search.tokens import estimate_tokens


class DocumentStructure(PlainFreshness, frozen=True, kw_only=True):
    """What get_document says besides the text, which stands once, in the text block."""

    doc_path: str
    title: str
    scope: str
    status: str
    labels: list[str]
    line_start: int
    line_end: int
    next_line: int | None
    links: list[PlainLink]
    links_total: int
    backlinks: list[PlainLink]
    backlinks_total: int


def fit_document(answer: DocumentAnswer, max_tokens: int) -> Answer:
    """Fit a document into a budget: a quarter of the room for links, more when the text is short.

    Raises:
        BudgetTooSmallError: not even one line fits.
    """
    lines = answer.content.split("\n")
    costs = [estimate_tokens(f"{line}\n") for line in lines]
    room = max_tokens - fit.spent(_showing(answer, (), (), 1))
    for_links = max(room // 4, room - sum(costs))
    links, left = fit.take(answer.links, _costs(answer.links), for_links // 2)
    spare = for_links - for_links // 2 + left
    backlinks, _ = fit.take(answer.backlinks, _costs(answer.backlinks), spare)
    try:
        return _fit_lines(answer, (links, backlinks), costs, max_tokens)
    except BudgetTooSmallError:
        return _fit_lines(answer, ((), ()), costs, max_tokens)


def _costs(links: Sequence[PlainLink]) -> list[int]:
    return [fit.cost_of(each) + 1 for each in links]


def _fit_lines(
    answer: DocumentAnswer,
    lists: tuple[Sequence[PlainLink], Sequence[PlainLink]],
    costs: list[int],
    max_tokens: int,
) -> Answer:
    links, backlinks = lists
    base = fit.spent(_showing(answer, links, backlinks, 1)) - costs[0]
    taken, _ = fit.take(costs, costs, max_tokens - base)
    return fit.settle(
        lambda count: _showing(answer, links, backlinks, count),
        max_tokens,
        guess=len(taken),
        least=1,
    )


def _showing(
    answer: DocumentAnswer,
    links: Sequence[PlainLink],
    backlinks: Sequence[PlainLink],
    count: int,
) -> Answer:
    """Make the answer that shows the first *count* lines."""
    lines = answer.content.split("\n")
    fields = {name: getattr(answer, name) for name in DocumentStructure.__struct_fields__}
    fields |= {"links": list(links), "backlinks": list(backlinks)}
    structure = DocumentStructure(**fields)
    more = ""
    if count < len(lines):
        last = answer.line_start + count - 1
        structure = msgspec.structs.replace(structure, line_end=last, next_line=last + 1)
    if structure.next_line is not None:
        more = f"\nContinue with brain_read from line {structure.next_line}."
    shown = render.envelope("\n".join(lines[:count]), 'kind="document"')
    return Answer(f"{shown}{more}\n", structure)
