"""The navigator's rule: which of all nodes seen so far promises most.

It is deterministic and knows no repository; it sees what `brain_tree` shows and nothing else.

- A term of the question met by a node's name or title counts whole, by its summary half; met by
  its beginning alone it counts half of that. A numbered term (``C3007``) is met by a summary that
  names a lower and a higher one. Rare terms count more than common ones, over all nodes seen.
- A node counts more the more of the question it meets, a document also the less else it is about:
  ``Tags`` answers "tags" better than ``Tags of released images``. A README or index speaks for
  its folder. A folder whose size is shown counts more the larger
  its share of all beside it.
- A node inherits half of what the node above it promises; a document that matches nothing itself
  hardly anything. Without any match folders come first, in the order of sight.
- Of children beyond an answer's page, a range promises a share of what its folder does, and more
  when a word of the question stands between the names at its ends.
- An answer to words says how well each child and each place beneath it matches. The document of
  such a place is a choice at once. It counts by its own words as any document, and the more the
  nearer its match is to the best one seen; a folder as well, a little.
- Of folders named by languages the English one holds what its translations hold, and these come
  last: questions are taken to be English.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from brain.evaluation.terms import numbers_within, overlap, stem, terms_of, words_of

# Chosen by trying values on half of the questions over seven repositories; the other half is
# measured in the README. None is critical: neighbours give the same within a question or two.
_INHERITED = 0.5
_IN_SUMMARY = 0.5
_IN_SPAN = 0.7
_UNMATCHED = 0.05
_SIZE = 1.0
_FOCUS = 0.6
_COVER = 0.3
_COVER_FOLDER = 0.8
_LATER_PAGE = 0.3
_IN_RANGE = 0.5
_NUMBER_IN_RANGE = 1.5
_LEAST_TRUST = 0.5
_ENGLISH = 1.0
_PLACE = 1.0
_FOLDER_PLACE = 0.7
_TRANSLATION = 0.02
_LEAST_FOLDER = 1e-6
_LEAST_DOCUMENT = 1e-9

_LANGUAGE = re.compile(r"[a-z]{2}([-_][A-Za-z]{2,4})?")
_SPEAKERS = {"readme.md", "index.md", "_index.md"}


class Shown(msgspec.Struct, frozen=True):
    """What an answer shows of a child; empty or 0 where it says nothing."""

    id: str
    title: str = ""
    summary: str = ""
    tokens: int = 0
    #: Places beneath it that match the words it was asked for by, best first.
    best: tuple["Shown", ...] = ()
    #: How well it matches the words it was asked for by; 0 in the usual order.
    match: float = 0.0

    @property
    def name(self) -> str:
        """The last part of the id."""
        return _name(self.id)


class Range(msgspec.Struct, frozen=True):
    """A node, or children of it that no answer showed: from an offset on, between two names."""

    node: str
    #: 0 for the node itself.
    offset: int
    #: Name of the first; empty when unknown.
    first: str = ""
    #: Name of the first child behind the range; empty when unknown.
    behind: str = ""
    #: Where an answer to words goes on; empty for a range in the usual order.
    cursor: str = ""


class LexicalNavigator:
    """The rule of this module, over everything seen so far."""

    def __init__(self, question: str) -> None:
        self._terms = list(dict.fromkeys(terms_of(question)))
        self._words = list(dict.fromkeys(words_of(question)))
        self._seen: Counter[str] = Counter()
        self._count = 0
        self._met: dict[str, dict[str, float]] = {}
        self._focus: dict[str, float] = {}
        self._sizes: dict[str, int] = {}
        self._totals: Counter[str] = Counter()
        self._parents: dict[str, str] = {}
        self._languages: dict[str, list[str]] = {}
        self._matches: dict[str, float] = {}
        self._best_match = 0.0

    def see(self, parent: str, children: Sequence[Shown]) -> None:
        """Remember what a page showed."""
        for child in children:
            if child.id not in self._met and "#" not in child.id:
                self._remember(parent, child)
            # what a folder does not tell is no better than the last that it tells
            self._match(child.id, min([child.match, *(each.match for each in child.best)]))
            self._best_match = max(self._best_match, child.match)
            for each in child.best:
                self._see_place(child.id, each)

    def _see_place(self, child: str, place: Shown) -> None:
        document = msgspec.structs.replace(place, id=place.id.partition("#")[0])
        if document.id not in self._met:
            self._remember(child, document)
        self._match(document.id, place.match)

    def _match(self, node: str, match: float) -> None:
        self._matches[node] = max(self._matches.get(node, 0.0), match)
        self._best_match = max(self._best_match, match)

    def _remember(self, parent: str, child: Shown) -> None:
        named = terms_of(f"{child.name.removesuffix('.md')} {child.title}")
        met = overlap(self._terms, named)
        focus = len(met) / max(1, len(set(named)))
        summary = terms_of(child.summary)
        for term, share in overlap(self._terms, summary).items():
            met[term] = max(met.get(term, 0.0), _IN_SUMMARY * share)
        for term in numbers_within(self._terms, summary):
            met[term] = max(met.get(term, 0.0), _IN_SPAN)
        if child.name.casefold() in _SPEAKERS:
            met = {**self._met.get(parent, {}), **met}
            focus = self._focus.get(parent, 0.0)
        self._met[child.id] = met
        self._focus[child.id] = focus
        self._sizes[child.id] = child.tokens
        self._totals[parent] += child.tokens
        self._parents[child.id] = parent
        if child.id.endswith("/") and _LANGUAGE.fullmatch(child.name):
            self._languages.setdefault(parent, []).append(child.id)
        self._count += 1
        self._seen.update(met.keys())

    async def choose(self, choices: Sequence[Range]) -> Range:
        """Return what promises most; of equals, what was seen first."""
        return max(choices, key=self.worth)

    def worth(self, choice: Range) -> float:
        """Return what opening a choice promises; without any match folders come first."""
        if choice.offset:
            return self.promise_of_range(choice)
        least = _LEAST_FOLDER if choice.node.endswith("/") else _LEAST_DOCUMENT
        return max(self.promise(choice.node), least)

    def promise(self, node: str) -> float:
        """Return what a node promises, what those above it promise included."""
        if node not in self._met:
            return 0.0
        own = self._own(node)
        covered = own / self._most if self._most else 0.0
        inherited = _INHERITED * self.promise(self._parents[node])
        if not node.endswith("/"):
            own *= (1 - _FOCUS + _FOCUS * self._focus[node]) * (1 - _COVER + _COVER * covered)
            own += _PLACE * self._most * self._nearness(node)
            return own + inherited if own else _UNMATCHED * inherited
        own *= 1 - _COVER_FOLDER + _COVER_FOLDER * covered
        own += _SIZE * self._share(node)
        own += _FOLDER_PLACE * self._most * self._nearness(node)
        if node in self._languages.get(self._parents[node], ()):
            return self._promise_of_language(node, own + inherited)
        return own + inherited

    def _promise_of_language(self, node: str, promise: float) -> float:
        siblings = self._languages[self._parents[node]]
        english = [each for each in siblings if _name(each)[:2] == "en"]
        if not english:
            return promise
        if node not in english:
            return _TRANSLATION * promise
        return max(promise, *map(self._own, siblings)) + _ENGLISH

    def promise_of_range(self, part: Range) -> float:
        """Return what children not shown yet promise."""
        folder = self.promise(part.node)
        trust = min(1.0, _LEAST_TRUST + folder / self._most) if self._most else 0.0
        return _LATER_PAGE * folder + trust * sum(
            (_NUMBER_IN_RANGE if any(map(str.isdigit, word)) else _IN_RANGE)
            * self._weight(stem(word))
            for word in self._words
            if stands_between(word, part)
        )

    def _nearness(self, node: str) -> float:
        return self._matches.get(node, 0.0) / self._best_match if self._best_match else 0.0

    def _share(self, node: str) -> float:
        return self._sizes[node] / max(1, self._totals[self._parents[node]])

    def _own(self, node: str) -> float:
        return sum(share * self._weight(term) for term, share in self._met[node].items())

    @property
    def _most(self) -> float:
        return sum(map(self._weight, self._terms))

    def _weight(self, term: str) -> float:
        return math.log(1 + (1 + self._count) / (1 + self._seen[term]))


def _name(node: str) -> str:
    return node.rstrip("/").rpartition("/")[2]


def stands_between(word: str, part: Range) -> bool:
    """Say whether a name that begins with *word* would stand in a range.

    Words that both ends begin with are cut off first, so ``lnk2019`` stands between
    ``linker-error-lnk2001`` and ``linker-error-lnk2040``. A word with digits only stands beside a
    name with the same letters.
    """
    if not part.first or not part.behind or part.first >= part.behind:
        return False
    first, behind = _apart(part.first.casefold(), part.behind.casefold())
    if any(map(str.isdigit, word)):
        letters = word.rstrip("0123456789")
        if not (first.startswith(letters) or behind.startswith(letters)):
            return False
    return first <= word < behind


def _apart(first: str, behind: str) -> tuple[str, str]:
    """Cut the words off that both names begin with."""
    shared = 0
    for one, other in zip(first, behind, strict=False):
        if one != other:
            break
        shared += 1
    start = max(first[:shared].rfind(mark) for mark in "-_ ./") + 1
    return first[start:], behind[start:]
