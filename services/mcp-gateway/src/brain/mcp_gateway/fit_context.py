"""Fitting passages: the last ones give way, then the text of the first."""

from collections.abc import Sequence

import msgspec

from brain.mcp_gateway import fit, render
from brain.mcp_gateway.tool import Answer
from brain.query.context import ContextAnswer, ContextChunk
from brain.query.errors import BudgetTooSmallError
from brain.query.freshness import PlainFreshness
from brain.search.tokens import estimate_tokens
from brain.search.truncation import least_head, truncate

#: What the digits of a budget may add to the smallest answer.
_DIGITS = 8


class FoundPassage(msgspec.Struct, frozen=True):
    """A passage besides its text, which stands once, in the text block."""

    chunk_id: str
    doc_path: str
    heading: str
    score: float
    tokens: int
    line_start: int
    line_end: int


class ContextStructure(PlainFreshness, frozen=True, kw_only=True):
    """What search_context says besides the text."""

    chunks: list[FoundPassage]
    omitted: int
    tokens: int
    confidence: float
    warnings: list[str]


def fit_context(answer: ContextAnswer, max_tokens: int) -> Answer:
    """Show as many passages as fit; when none does, the head of the first.

    Raises:
        BudgetTooSmallError: not even an answer without passages fits.
    """
    costs = [
        fit.cost_of(_passage(each)) + estimate_tokens(_said(1, each)) for each in answer.chunks
    ]
    taken, _ = fit.take(costs, costs, max_tokens - fit.spent(_context_answer(answer, ())))
    try:
        fitted = fit.settle(
            lambda count: _context_answer(answer, answer.chunks[:count]),
            max_tokens,
            guess=len(taken),
            least=0,
        )
    except BudgetTooSmallError as error:
        raise BudgetTooSmallError(error.minimum + _DIGITS) from error
    structure = fitted.structured
    if isinstance(structure, ContextStructure) and answer.chunks and not structure.chunks:
        return _with_head(answer, max_tokens) or fitted
    return fitted


def _with_head(answer: ContextAnswer, max_tokens: int) -> Answer | None:
    first = msgspec.structs.replace(answer.chunks[0], content="", tokens=0)
    room = max_tokens - fit.spent(_context_answer(answer, [first])) - _DIGITS
    if room < least_head():
        return None
    head = truncate(answer.chunks[0].content, room)
    cut = msgspec.structs.replace(first, content=head, tokens=estimate_tokens(head))
    shown = _context_answer(answer, [cut])
    return shown if fit.spent(shown) <= max_tokens else None


def _context_answer(answer: ContextAnswer, shown: Sequence[ContextChunk]) -> Answer:
    tokens = sum(each.tokens for each in shown)
    omitted = answer.omitted + len(answer.chunks) - len(shown)
    plural = "" if len(shown) == 1 else "s"
    head = [
        (
            f"{len(shown)} section{plural}, {tokens} tokens (budget {answer.max_tokens},"
            f" {omitted} omitted). Scopes: {', '.join(answer.scopes[:20])}"
        ),
        *answer.warnings,
    ]
    if shown:
        parts = "\n".join(_said(number, each) for number, each in enumerate(shown, 1))
        head.append(render.envelope(parts, 'kind="passages"'))
    else:
        head.append("Nothing in these scopes answers this within the budget.")
    structure = ContextStructure(
        commit=answer.commit,
        branch=answer.branch,
        tip=answer.tip,
        behind_by=answer.behind_by,
        indexed_at=answer.indexed_at,
        chunks=[*map(_passage, shown)],
        omitted=omitted,
        tokens=tokens,
        confidence=answer.confidence,
        warnings=answer.warnings,
    )
    return Answer("\n".join(head) + "\n", structure)


def _said(number: int, chunk: ContextChunk) -> str:
    status = f" [{chunk.status}]" if chunk.status else ""
    return (
        f"--- [{number}] {chunk.doc_path} \u2014 {chunk.heading} ({chunk.scope}){status}\n"
        f"{chunk.content}\n"
    )


def _passage(chunk: ContextChunk) -> FoundPassage:
    return FoundPassage(
        chunk.chunk_id,
        chunk.doc_path,
        chunk.heading,
        chunk.score,
        chunk.tokens,
        chunk.line_start,
        chunk.line_end,
    )
