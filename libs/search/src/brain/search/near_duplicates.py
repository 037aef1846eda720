"""Near duplicates: chunks that would tell a reader the same twice."""

from collections.abc import Set as AbstractSet

import msgspec

from brain.search.analyzer import words_of
from brain.search.folding import fold_case
from brain.search.scripts import bigrams
from brain.search.stop_words import STOP_WORDS

#: Share of all their terms that two chunks have in common when they are near duplicates.
THRESHOLD = 0.85


class Telling(msgspec.Struct, frozen=True):
    """What two texts are compared by."""

    #: The text without white space around it.
    text: str
    #: Its words without stop words; of words beyond ASCII every two neighbouring characters, as
    #: whole sentences of some scripts are one word.
    terms: frozenset[str]


def telling(text: str) -> Telling:
    """Return what *text* is compared by."""
    terms: set[str] = set()
    for word in set(words_of(text)):
        terms.update([fold_case(word)] if word.isascii() else bigrams(fold_case(word)))
    return Telling(text.strip(), frozenset(terms) - STOP_WORDS)


def are_near_duplicates(one: Telling, other: Telling) -> bool:
    """Say whether two texts are equal or share `THRESHOLD` of their terms.

    Two texts without any terms count as sharing all.
    """
    return one.text == other.text or jaccard(one.terms, other.terms) >= THRESHOLD


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return what two sets have in common as a share of both together; 1 when both are empty."""
    common = len(one & other)
    together = len(one) + len(other) - common
    return common / together if together else 1.0
