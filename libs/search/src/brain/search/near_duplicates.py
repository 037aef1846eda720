"""Near duplicates: chunks that would tell a reader the same twice."""

from collections.abc import Set as AbstractSet

import msgspec

from brain.search.analyzer import Analyzer, words_of
from brain.search.stop_words import STOP_WORDS

#: Share of all their terms that two chunks have in common when they are near duplicates.
THRESHOLD = 0.85


class Telling(msgspec.Struct, frozen=True):
    """What two texts are compared by."""

    #: The text without white space around it.
    text: str
    #: Its terms without stop words.
    terms: frozenset[str]


def telling(text: str, analyzer: Analyzer) -> Telling:
    """Return what *text* is compared by."""
    terms = {term for word in set(words_of(text)) for term in analyzer.terms_of(word)[:1]}
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
