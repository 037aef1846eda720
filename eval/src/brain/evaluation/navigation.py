"""Navigation: can an agent that sees only ``brain_tree`` answers reach the right node?

A walk keeps every folder and document it has seen and has not opened yet, and every range of
children that an answer had no room for. It opens the one that promises most by the rule of
`brain.evaluation.navigator`, or that a model chooses, and stops when its budget is spent. Sections
are never opened: a document's own answer lists them. A document is opened with a small page: its
summary and first heading tell whether it is the one. No text is ever read.

With words a folder is opened with the question's first 200 characters: of its children only those
that match are shown, and the documents of the places told beneath them can be opened at once.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import msgspec

from brain.assessment.golden import Question
from brain.evaluation.navigator import LexicalNavigator, Range, Shown

#: Tokens of all ``brain_tree`` answers together.
BUDGET_TOKENS = 6_000
#: Tokens of one answer at most, so that one large folder does not take the whole budget.
PAGE_TOKENS = 2_000
#: Of an answer about a document, or about a range of a folder's children.
DOCUMENT_TOKENS = 250
RANGE_TOKENS = 700
FOLDER_TOKENS = 2000
MOST_CHILDREN = 1_000
DOCUMENT_CHILDREN = 1
#: With less than this left nothing more can be seen.
LEAST_TOKENS = 150
#: Of words that ``brain_tree`` takes.
MOST_WORDS_CHARS = 200


class Glance(msgspec.Struct, frozen=True):
    """What one call of ``brain_tree`` asks for."""

    node: str
    offset: int
    #: Children at most.
    limit: int
    #: Tokens the answer may cost at most.
    page: int
    #: Empty for the usual order.
    words: str = ""
    cursor: str = ""


class Page(msgspec.Struct, frozen=True):
    """One answer of ``brain_tree``."""

    node: str
    children: list[Shown]
    next_offset: int | None
    tokens: int
    #: Offset and name of children beyond the page, the next page's first one included.
    landmarks: list[tuple[int, str]] = []
    #: Where children that match words go on; empty behind the last, and in the usual order.
    next_cursor: str = ""


#: Looks at a node; None when the smallest answer does not fit.
Look = Callable[[Glance], Awaitable[Page | None]]


class Chooser(Protocol):
    """What decides where a walk goes on."""

    def see(self, parent: str, children: Sequence[Shown]) -> None:
        """Learn what a page showed."""
        ...

    async def choose(self, choices: Sequence[Range]) -> Range:
        """Return one of the choices; there is at least one."""
        ...


class Walk(msgspec.Struct, frozen=True):
    """How a walk went."""

    question: str
    reached: bool
    tokens: int
    opened: list[str]


class Waiting:
    """What was seen and not opened: nodes, and ranges of children, in the order of sight."""

    def __init__(self) -> None:
        self._known: set[str] = {"/"}
        self.choices: list[Range] = [Range("/", 0)]

    def replace(self, choice: Range, page: Page) -> None:
        """Put what a page showed in the place of the choice it answers."""
        self.choices.remove(choice)
        end = choice.offset + len(page.children)
        self.choices = [each for each in self.choices if not _is_shown(each, choice, end)]
        for child in page.children:
            for each in (child, *child.best):
                self._add(each.id)
        if page.next_cursor:
            self.choices.append(Range(choice.node, end, cursor=page.next_cursor))
        if choice.node.endswith("/") and page.next_offset is not None:
            self.choices += self._rest(choice, page, end)

    def _add(self, node: str) -> None:
        document = node.partition("#")[0]
        if document not in self._known:
            self._known.add(document)
            self.choices.append(Range(document, 0))

    def _rest(self, choice: Range, page: Page, end: int) -> list[Range]:
        later = [each.offset for each in self.choices if each.node == choice.node and each.offset]
        if any(offset > end for offset in later) or choice.offset:
            # The ranges behind are known; a page that ended early leaves the end of its own.
            last = page.children[-1].name if page.children else choice.first
            return [] if end in later else [Range(choice.node, end, last, choice.behind)]
        names = [*(name for _, name in page.landmarks[1:]), _LAST]
        pairs = zip(page.landmarks, names, strict=True)
        return [Range(choice.node, offset, name, behind) for (offset, name), behind in pairs]


_LAST = "\U0010ffff"


def _is_shown(each: Range, choice: Range, end: int) -> bool:
    return each.node == choice.node and each.offset > 0 and choice.offset <= each.offset < end


async def walk(
    question: Question,
    look: Look,
    *,
    budget: int = BUDGET_TOKENS,
    page: int = PAGE_TOKENS,
    chooser: Chooser | None = None,
    with_words: bool = False,
) -> Walk:
    """Walk the tree for one question until an expected node was opened or the budget is spent.

    An expected section counts as reached when its document was opened: the document's own answer
    lists it. What is opened beyond the budget does not count. Without a *chooser* the lexical
    rule decides. With *with_words* folders are opened with the words of the question.
    """
    navigator = chooser or LexicalNavigator(question.question)
    wanted = {name for node in question.expect for name in (node, node.partition("#")[0])}
    waiting = Waiting()
    words = question.question[:MOST_WORDS_CHARS] if with_words else ""
    opened: list[str] = []
    spent = 0
    while waiting.choices and budget - spent >= LEAST_TOKENS:
        choice = await navigator.choose(waiting.choices)
        shown = await look(_glance(choice, words, page, budget - spent))
        if shown is None:
            waiting.choices.remove(choice)
            continue
        spent += shown.tokens
        opened.append(choice.node + (f" from {choice.offset}" if choice.offset else ""))
        if choice.node in wanted:
            return Walk(question.id, reached=spent <= budget, tokens=spent, opened=opened)
        navigator.see(choice.node, shown.children)
        waiting.replace(choice, shown)
    return Walk(question.id, reached=False, tokens=spent, opened=opened)


def _glance(choice: Range, words: str, page: int, left: int) -> Glance:
    room, limit = _room(choice, page)
    if choice.cursor or (words and choice.node.endswith("/") and not choice.offset):
        return Glance(choice.node, 0, limit, min(room, left), words, choice.cursor)
    return Glance(choice.node, choice.offset, limit, min(room, left))


def _room(choice: Range, page: int) -> tuple[int, int]:
    if choice.offset:
        return min(page, RANGE_TOKENS), MOST_CHILDREN
    if choice.node.endswith("/"):
        return min(page, FOLDER_TOKENS), MOST_CHILDREN
    return min(page, DOCUMENT_TOKENS), DOCUMENT_CHILDREN


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
