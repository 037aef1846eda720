"""Rule ``list``: the items of a first block that is a list."""

from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import joined, plain


def list_items(subject: Subject) -> str:
    """Take the list's items in order, as many as fit."""
    block = subject.blocks[0] if subject.blocks else None
    if block is None or block.kind != "list":
        return ""
    items = (plain(item, subject.definitions) for item in block.items)
    return joined((item for item in items if item), "; ")
