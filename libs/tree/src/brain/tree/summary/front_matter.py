"""Rule ``front-matter``: what the author wrote as the summary."""

import re

from brain.tree.facts import first_text
from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import plain

_WORD = re.compile(r"[^\W_]+")
_LEAST_NEWS = 3
_LEAD_IN = frozenset({"about", "learn", "more", "read", "see", "the"})


def front_matter(subject: Subject) -> str:
    """Take the document's ``summary``, else its ``description``, unless it only says the title.

    It does so when at most three of its words are not in the title, words that only lead in left
    out: ``Learn more about: Pipes``.
    """
    if not subject.fields:
        return ""
    written = first_text(subject.fields, "summary", "description")
    if not written:
        return ""
    said = plain(written, subject.definitions)
    title = first_text(subject.fields, "title")
    return "" if title and _repeats(said, title) else said


def _repeats(said: str, title: str) -> bool:
    known = _LEAD_IN.union(_WORD.findall(title.casefold()))
    words = _WORD.findall(said.casefold())
    news = [word for word in words if word not in known]
    return len(news) <= _LEAST_NEWS and len(news) < len(words)
