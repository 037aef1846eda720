"""Navigation: can an agent that sees only ``brain_tree`` answers reach the right node?

The navigator is deterministic and its rule is public. It keeps every folder and document it has
seen and has not opened yet, opens the one that promises most, and stops when its budget is spent.
A node promises what its own line (id, title, summary) says about the question, rare words more
than common ones, and half of what the node above it promised; what matches nothing comes in the
order of sight, folders before documents. Sections are never opened: a document's own answer lists
them. It never reads a text.
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from brain.evaluation.golden import Question
from brain.evaluation.terms import overlap, terms_of

#: Tokens of all ``brain_tree`` answers together.
BUDGET_TOKENS = 6_000
#: Tokens of one answer at most, so that one large folder does not take the whole budget.
PAGE_TOKENS = 1_500
#: With less than this left nothing more can be seen.
LEAST_TOKENS = 300
_INHERITED = 0.5
#: Of a node that was shown to be long the next page is worth a little less than the first.
_LATER_PAGE = 0.7
_UNMATCHED_DOCUMENT = 1.0


class Page(msgspec.Struct, frozen=True):
    """One answer of ``brain_tree``."""

    node: str
    #: Listed children: id, and the words shown of each.
    children: list[tuple[str, str]]
    next_offset: int | None
    tokens: int


#: Looks at a node from an offset on; None when not even its smallest answer fits.
Look = Callable[[str, int, int], Awaitable[Page | None]]


class Walk(msgspec.Struct, frozen=True):
    """How a walk went."""

    question: str
    reached: bool
    tokens: int
    opened: list[str]


class LexicalNavigator:
    """The rule of this module, over everything seen so far."""

    def __init__(self, question: str) -> None:
        self._terms = list(dict.fromkeys(terms_of(question)))
        self._seen: Counter[str] = Counter()
        self._count = 0
        self._words: dict[str, list[str]] = {}
        self._parents: dict[str, str] = {}

    def see(self, parent: str, children: Sequence[tuple[str, str]]) -> None:
        """Remember what a page showed."""
        for node, words in children:
            if node in self._words:
                continue
            terms = terms_of(words)
            self._words[node] = terms
            self._parents[node] = parent
            self._count += 1
            self._seen.update(set(overlap(self._terms, terms)))

    def promise(self, node: str) -> float:
        """Return what a node promises, what those above it promised included."""
        own = sum(
            share * self._weight(term)
            for term, share in overlap(self._terms, self._words.get(node, [])).items()
        )
        parent = self._parents.get(node)
        return own + (_INHERITED * self.promise(parent) if parent in self._words else 0.0)

    def _weight(self, term: str) -> float:
        return math.log(1 + (1 + self._count) / (1 + self._seen[term]))


async def walk(
    question: Question, look: Look, *, budget: int = BUDGET_TOKENS, page: int = PAGE_TOKENS
) -> Walk:
    """Walk the tree for one question until an expected node was opened or the budget is spent.

    An expected section counts as reached when its document was opened: the document's own answer
    lists it. A page that would exceed the budget is not asked for.
    """
    navigator = LexicalNavigator(question.question)
    wanted = {name for node in question.expect for name in (node, node.partition("#")[0])}
    waiting: dict[tuple[str, int], int] = {("/", 0): 0}
    opened: list[str] = []
    spent = 0
    while waiting and budget - spent >= LEAST_TOKENS:
        node, offset = min(waiting, key=lambda each: _rank(navigator, each, waiting[each]))
        del waiting[node, offset]
        shown = await look(node, offset, min(page, budget - spent))
        if shown is None:
            continue
        spent += shown.tokens
        opened.append(node)
        if node in wanted:
            return Walk(question.id, reached=True, tokens=spent, opened=opened)
        navigator.see(node, shown.children)
        for child, _ in shown.children:
            if "#" not in child:
                waiting.setdefault((child, 0), len(waiting))
        if shown.next_offset is not None:
            waiting[node, shown.next_offset] = len(waiting)
    return Walk(question.id, reached=False, tokens=spent, opened=opened)


def _rank(navigator: LexicalNavigator, choice: tuple[str, int], order: int) -> tuple[float, int]:
    node, offset = choice
    promise = navigator.promise(node)
    if offset:
        promise *= _LATER_PAGE
    # Without any match a folder may still hold the answer; a document has said what it is about.
    kind = 0 if node.endswith("/") else _UNMATCHED_DOCUMENT
    return (-promise if promise else kind, order)


def report(walks: Sequence[Walk], questions: Sequence[Question]) -> dict[str, Any]:
    """Summarise walks: the share that reached, the tokens spent, and both by type."""
    kinds = {question.id: question.type for question in questions}
    by_type: dict[str, list[Walk]] = {}
    for each in walks:
        by_type.setdefault(kinds[each.question], []).append(each)
    return {
        "questions": len(walks),
        "reached": _share(walks),
        "tokens": round(sum(each.tokens for each in walks) / max(1, len(walks))),
        "byType": {kind: _share(group) for kind, group in sorted(by_type.items())},
        "missed": [each.question for each in walks if not each.reached],
    }


def _share(walks: Sequence[Walk]) -> float:
    return round(sum(each.reached for each in walks) / max(1, len(walks)), 3)
