"""Rule ``front-matter``: what the author wrote as the summary."""

from brain.tree.facts import first_text
from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import plain


def front_matter(subject: Subject) -> str:
    """Take the document's ``summary``, else its ``description``."""
    if not subject.fields:
        return ""
    written = first_text(subject.fields, "summary", "description")
    return plain(written, subject.definitions) if written else ""
