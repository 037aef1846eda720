"""Rule ``facts``: a document that is mostly front matter."""

from brain.markdown.visible import visible
from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import joined

_NO_FACTS = frozenset({"title", "name", "summary", "description"})


def facts(subject: Subject) -> str:
    """Take the plain fields in order: ``status: understood · rules: 12``."""
    parts = (
        visible(f"{key}: {value}")
        for key, value in subject.fields.items()
        if isinstance(value, str) and value and key not in _NO_FACTS
    )
    return joined(parts, " · ")
