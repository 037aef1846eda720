"""Terms: what a question and a summary have in common, without any model."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Words that say nothing about a subject.
_STOP = frozenset(
    """
    a about an and any are as at be been by can could do does for from had has have how i if in
    into is it its me my no not of on or our should so than that the their them then there these
    they this to us use used using was we what when where which who whom whose why will with
    work works would you your
    """.split()  # noqa: SIM905 - as a list it would be a page
)
#: Names of languages that would lose what tells them apart.
_SYMBOLS = (
    (re.compile(r"\bC\+\+", re.IGNORECASE), "cpp"),
    (re.compile(r"\b([CF])#", re.IGNORECASE), r"\1sharp"),
)
_NUMBERED = re.compile(r"([^\W\d_]*)(\d{2,})")
_SUFFIXES = ("ations", "ation", "ings", "ing", "ies", "ers", "er", "es", "ed", "ly", "s", "e", "y")
_SHORTEST_STEM = 3
_PREFIX = 5


def terms_of(text: str) -> list[str]:
    """Return the stems of a text's words without stop words, in order, repeats included.

    A word in camel case gives its parts and itself: ``chargeCustomer``, ``charge``, ``customer``.
    """
    return [stem(word) for word in words_of(text)]


def words_of(text: str) -> list[str]:
    """Return a text's words without stop words, case-folded, parts of camel case as well."""
    found = []
    for name, word in _SYMBOLS:
        text = name.sub(word, text)
    for word in _WORD.findall(text):
        parts = _CAMEL.split(word)
        found += [word, *parts] if len(parts) > 1 else parts
    return [word.casefold() for word in found if word.casefold() not in _STOP]


def stem(word: str) -> str:
    """Cut the commonest English endings off a word, and one of two equal letters before them."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            word = word[: -len(suffix)]
            break
    is_double = len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1].isalpha()
    return word[:-1] if is_double else word


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


def numbers_within(question: Iterable[str], text: Iterable[str]) -> list[str]:
    """Return the numbered terms of a question that lie between two of a text: c3007, c2501, c3999.

    Letters before the number must be equal.
    """
    spans: dict[str, list[int]] = {}
    for term in text:
        if found := _NUMBERED.fullmatch(term):
            spans.setdefault(found[1], []).append(int(found[2]))
    met = []
    for term in question:
        found = _NUMBERED.fullmatch(term)
        if found and (span := spans.get(found[1])) and min(span) <= int(found[2]) <= max(span):
            met.append(term)
    return met
