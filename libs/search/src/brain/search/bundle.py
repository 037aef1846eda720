"""Bundles: the best chunks for a task as one text within a token budget."""

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from brain.markdown.visible import visible
from brain.search.near_duplicates import Telling, are_near_duplicates, telling
from brain.search.text_units import open_fence
from brain.search.tokens import estimate_tokens
from brain.search.truncation import least_head, truncate

#: Share of a budget that is used; the rest is for what an estimate may miss.
USED_PERCENT = 95
#: What the separators of a header and a section cost at most.
_HEADER_SLACK = 4
_SECTION_SLACK = 2
_MAX_TASK_CHARS = 120
#: No id costs more: which budget is the least must not depend on the id that a budget gives.
_DEAREST_ID = "0" * 16
_SCOPE_ORDER = {"domain": 0, "conventions": 1}
_HEADING = re.compile(r"#{1,6}(?:[ \t][^\n]*)?(?:\n|\Z)")
NOTHING = "(no matching knowledge)"

Reason = Literal["duplicate", "budget", "empty"]


class Candidate(msgspec.Struct, frozen=True):
    """A chunk that may enter a bundle."""

    chunk_id: str
    node_id: str
    path: str
    breadcrumb: str
    scope: str
    line_start: int
    line_end: int
    content: str
    #: Whether *content* begins with the node's own heading.
    has_heading: bool
    #: What stands in brackets behind the breadcrumb, such as ``updated 2026-02-03``.
    note: str = ""
    #: Tokens that the caller says about the chunk beside the text, within the same budget.
    beside: int = 0


class Request(msgspec.Struct, frozen=True):
    """What a bundle was asked for."""

    bundle_id: str
    task: str
    scopes: tuple[str, ...]
    max_tokens: int
    #: Names the state of the index.
    fingerprint: str
    #: Tokens that the caller says beside the text, within the same budget.
    beside: int = 0


class Section(msgspec.Struct, frozen=True):
    """A chunk that a bundle holds."""

    chunk_id: str
    node_id: str
    path: str
    breadcrumb: str
    scope: str
    line_start: int
    line_end: int
    tokens: int
    truncated: bool = False


class LeftOut(msgspec.Struct, frozen=True):
    """A chunk that was ranked and is not in the bundle."""

    chunk_id: str
    node_id: str
    reason: Reason
    #: The chunk in the bundle that says the same, of a duplicate.
    same_as: str = ""


class Bundle(msgspec.Struct, frozen=True):
    """The text and its manifest; sections in the order of the text, left out in rank order."""

    text: str
    tokens: int
    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...]
    truncated: bool


class BudgetTooSmallError(Exception):
    """The budget does not hold even an empty bundle."""

    def __init__(self, minimum: int) -> None:
        self.minimum = minimum
        super().__init__(f"a bundle needs a budget of at least {minimum} tokens")


class _Chosen(msgspec.Struct, frozen=True):
    """A candidate as it is rendered, and its rank."""

    rank: int
    candidate: Candidate
    body: str
    tokens: int
    truncated: bool = False


def pack_bundle(request: Request, candidates: Sequence[Candidate]) -> Bundle:
    """Pack candidates into a text of at most `USED_PERCENT` of the budget.

    Greedy in rank order: a near duplicate of a chosen chunk is left out, so is one that does not
    fit, and a smaller one behind it may still enter. If none fits, the best one's head stands alone
    with a mark that it was cut. Sections are ordered by scope (domain, conventions, others), then
    rank. Equal arguments give equal bytes.

    Args:
        request: *bundle_id* and *fingerprint* are shown, the budget is in tokens.
        candidates: best first.

    Raises:
        BudgetTooSmallError: the budget does not hold the first line; says which would.
    """
    budget = max(1, request.max_tokens * USED_PERCENT // 100)
    dearest = msgspec.structs.replace(request, bundle_id=_DEAREST_ID)
    least = estimate_tokens(_render(dearest, [])) + request.beside
    if least > budget:
        raise BudgetTooSmallError(-(-least * 100 // USED_PERCENT))
    chosen, left_out = _choose(candidates, budget - least - _HEADER_SLACK)
    text = _render(request, chosen)
    while chosen and estimate_tokens(text) + _beside(request, chosen) > budget:
        dropped = max(chosen, key=lambda each: each.rank)
        chosen = [each for each in chosen if each is not dropped]
        left_out.append((dropped.rank, _left_out(dropped.candidate, "budget")))
        text = _render(request, chosen)
    return Bundle(
        text=text,
        tokens=estimate_tokens(text),
        sections=tuple(map(_section, chosen)),
        left_out=tuple(each for _, each in sorted(left_out, key=lambda each: each[0])),
        truncated=any(each.truncated for each in chosen),
    )


def _choose(
    candidates: Sequence[Candidate], room: int
) -> tuple[list[_Chosen], list[tuple[int, LeftOut]]]:
    chosen: list[_Chosen] = []
    seen: list[tuple[str, Telling]] = []
    left_out: list[tuple[int, LeftOut]] = []
    first_too_large: _Chosen | None = None
    for rank, candidate in enumerate(candidates):
        body = _body(candidate)
        said = telling(body)
        same = next((each for each, other in seen if are_near_duplicates(said, other)), "")
        entry = _Chosen(rank, candidate, body, _tokens(body, room))
        if not body or same:
            reason: Reason = "duplicate" if same else "empty"
            left_out.append((rank, _left_out(candidate, reason, same)))
        elif _cost(entry) > room:
            first_too_large = first_too_large or entry
            left_out.append((rank, _left_out(candidate, "budget")))
        else:
            room -= _cost(entry)
            chosen.append(entry)
            seen.append((candidate.chunk_id, said))
    if not chosen and first_too_large:
        head = _head(first_too_large, room)
        chosen = [head] if head else []
        left_out = [each for each in left_out if not (head and each[0] == head.rank)]
    return sorted(chosen, key=_order), left_out


def _tokens(body: str, room: int) -> int:
    """Estimate the tokens of a text; of one that surely exceeds *room* say no more than that.

    An estimate never has fewer than one token for eight characters.
    """
    least = len(body) // 8
    return least if least > room else estimate_tokens(body)


def _order(entry: _Chosen) -> tuple[int, int]:
    return _SCOPE_ORDER.get(entry.candidate.scope, len(_SCOPE_ORDER)), entry.rank


def _cost(entry: _Chosen) -> int:
    return entry.tokens + _cost_around(entry.candidate)


def _cost_around(candidate: Candidate) -> int:
    return estimate_tokens(_heading(candidate)) + _SECTION_SLACK + candidate.beside


def _beside(request: Request, chosen: Sequence[_Chosen]) -> int:
    return request.beside + sum(each.candidate.beside for each in chosen)


def _head(entry: _Chosen, room: int) -> _Chosen | None:
    left = room - _cost_around(entry.candidate)
    if left < least_head():
        return None
    body = truncate(entry.body, left)
    fence = open_fence(body)
    if fence:
        body = _closed(truncate(entry.body, left - estimate_tokens(f"\n{fence}\n")))
    if not body:
        return None
    return _Chosen(entry.rank, entry.candidate, body, estimate_tokens(body), truncated=True)


def _body(candidate: Candidate) -> str:
    text = candidate.content.strip()
    if candidate.has_heading:
        text = _HEADING.sub("", text, count=1) if text.startswith("#") else text
    return _closed(text.strip())


def _closed(text: str) -> str:
    """Close a fence that was cut off, or the sections behind it would read as code."""
    fence = open_fence(text)
    return f"{text}\n{fence}" if fence else text


def _heading(candidate: Candidate) -> str:
    note = f" ({visible(candidate.note)})" if candidate.note else ""
    return f"\n## {visible(candidate.path)} \u2014 {visible(candidate.breadcrumb)}{note}\n\n"


def _render(request: Request, chosen: Sequence[_Chosen]) -> str:
    tokens = sum(each.tokens for each in chosen)
    plural = "" if len(chosen) == 1 else "s"
    facts = (
        f"brain bundle {request.bundle_id}",
        f"{len(chosen)} section{plural}, ~{tokens} tokens",
        f"scopes: {', '.join(request.scopes)}",
        f"index {request.fingerprint}",
        f"task: {_shortened(visible(request.task))}",
    )
    # "--" would close the comment early
    first = f"<!-- {visible(' · '.join(facts)).replace('--', '—')} -->\n"
    if not chosen:
        return f"{first}\n{NOTHING}\n"
    return first + "".join(f"{_heading(each.candidate)}{each.body}\n" for each in chosen)


def _shortened(task: str) -> str:
    return task if len(task) <= _MAX_TASK_CHARS else f"{task[: _MAX_TASK_CHARS - 1]}\u2026"


def _section(entry: _Chosen) -> Section:
    candidate = entry.candidate
    return Section(
        chunk_id=candidate.chunk_id,
        node_id=candidate.node_id,
        path=candidate.path,
        breadcrumb=candidate.breadcrumb,
        scope=candidate.scope,
        line_start=candidate.line_start,
        line_end=candidate.line_end,
        tokens=entry.tokens,
        truncated=entry.truncated,
    )


def _left_out(candidate: Candidate, reason: Reason, same_as: str = "") -> LeftOut:
    return LeftOut(candidate.chunk_id, candidate.node_id, reason, same_as)
