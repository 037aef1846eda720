"""Terms: what a question and a summary have in common, without any model."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Words that say nothing about a subject.
_STOP = frozenset(
    """
    a an and any are as at be been by can could do does for from had has have how i if in into is
    it its me my no not of on or our should so than that the their them then there these they this
    to us was we what when where which who whom whose why will with would you your
    """.split()  # noqa: SIM905 - as a list it would be a page
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "ies", "ers", "er", "es", "ed", "ly", "s")
_SHORTEST_STEM = 3
_PREFIX = 5


def terms_of(text: str) -> list[str]:
    """Return the stems of a text's words without stop words, in order, repeats included."""
    words = _WORD.findall(_CAMEL.sub(" ", text))
    return [stem(word.casefold()) for word in words if word.casefold() not in _STOP]


def stem(word: str) -> str:
    """Cut the commonest English endings off a word."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)]
    return word


def overlap(question: Iterable[str], text: Iterable[str]) -> dict[str, float]:
    """Return how well each term of a question is met by a text: 1 whole, 0.5 by its beginning."""
    present = set(text)
    beginnings = {term[:_PREFIX] for term in present if len(term) >= _PREFIX}
    met = {}
    for term in question:
        if term in present:
            met[term] = 1.0
        elif len(term) >= _PREFIX and term[:_PREFIX] in beginnings:
            met[term] = 0.5
    return met
