"""Rules ``section``: a document that opens on its sections speaks through one of them."""

from brain.tree.summary.paragraph import paragraph_of
from brain.tree.summary.subject import Part, Subject

#: In this order.
NAMES = (
    "summary",
    "purpose",
    "overview",
    "description",
    "abstract",
    "decision",
    "intent",
    "goal",
    "objective",
    "scope",
    "context",
)


def named_section(subject: Subject) -> str:
    """Take the best named section of a document without text of its own, when it is prose."""
    if not subject.is_document or subject.blocks:
        return ""
    by_name = {part.title.strip(" :.").casefold(): part for part in reversed(subject.parts)}
    for name in NAMES:
        if name in by_name and (words := _in_prose(by_name[name], subject)):
            return words
    return ""


def first_section(subject: Subject) -> str:
    """Take a document's first section in prose."""
    if not subject.is_document:
        return ""
    for part in subject.parts:
        if words := _in_prose(part, subject):
            return words
    return ""


def _in_prose(part: Part, subject: Subject) -> str:
    if not part.blocks or part.blocks[0].kind != "paragraph":
        return ""
    return paragraph_of(part.blocks[:1], subject.definitions)
