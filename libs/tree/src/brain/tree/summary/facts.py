"""Rule ``facts``: a document that is mostly front matter."""

from brain.markdown.visible import visible
from brain.tree.facts import first_text
from brain.tree.summary.status import OUT_OF_FORCE
from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import joined

_NO_FACTS = frozenset({"title", "name", "summary", "description"})
#: Said by the prefix of `brain.tree.summary.status` when the document is out of force.
_SAID_BY_STATUS = frozenset({"status", "supersededBy"})


def facts(subject: Subject) -> str:
    """Take the plain fields in order: ``status: understood · rules: 12``."""
    if not subject.fields:
        return ""
    is_out_of_force = first_text(subject.fields, "status").lower() in OUT_OF_FORCE
    said = _NO_FACTS | _SAID_BY_STATUS if is_out_of_force else _NO_FACTS
    parts = (
        visible(f"{key}: {value}")
        for key, value in subject.fields.items()
        if isinstance(value, str) and value and key not in said
    )
    return joined(parts, " · ")
