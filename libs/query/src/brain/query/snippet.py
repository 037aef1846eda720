"""Snippet: the part of a chunk that says most about a question."""

from brain.markdown.visible import visible
from brain.search.analyzer import Analyzer, words_of
from brain.search.question import read_question

MOST_CHARS = 240


class Snippets:
    """Snippets for one question; for one thread."""

    def __init__(self, query: str) -> None:
        self._asked = frozenset(read_question(query).terms())
        self._analyzer = Analyzer()

    def of(self, text: str) -> str:
        """Return one line of at most 240 characters from where most words of the question stand.

        A heading is shown only where there is nothing else: the breadcrumb says it.
        """
        return _snippet(text, self._asked, self._analyzer)


def _snippet(text: str, asked: frozenset[str], analyzer: Analyzer) -> str:
    every = [line.strip() for line in text.split("\n") if line.strip()]
    lines = [line for line in every if not line.startswith("#")] or every
    if not lines:
        return ""
    best, most = 0, -1
    for number, line in enumerate(lines):
        terms = {term for word in words_of(line[:2_000]) for term in analyzer.terms_of(word)}
        found = len(terms & asked)
        if found > most:
            best, most = number, found
    joined = " ".join(lines[best : best + 4])
    start = _first_match(lines[best], asked, analyzer)
    return _cut(visible(joined[start:]))


def _first_match(line: str, asked: frozenset[str], analyzer: Analyzer) -> int:
    """Return where a long line is entered: shortly before the first word that was asked for."""
    if len(line) <= MOST_CHARS:
        return 0
    for word in words_of(line[:20_000]):
        if asked.intersection(analyzer.terms_of(word)):
            at = max(0, line.find(word) - MOST_CHARS // 4)
            return line.rfind(" ", 0, at) + 1
    return 0


def _cut(text: str) -> str:
    if len(text) <= MOST_CHARS:
        return text
    end = text.rfind(" ", MOST_CHARS // 2, MOST_CHARS)
    return f"{text[: end if end > 0 else MOST_CHARS - 1]}…"
