"""Rule ``text``: a node that is short enough is its own summary."""

from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import MAX_CHARS, prose


def text(subject: Subject) -> str:
    """Take the whole text of a node that is only paragraphs, has no parts and fits."""
    if subject.parts or any(block.kind != "paragraph" for block in subject.blocks):
        return ""
    words = ""
    for block in subject.blocks:
        words = f"{words} {prose(block.content, subject.definitions)}".strip()
        if len(words) > MAX_CHARS:
            return ""
    return words
