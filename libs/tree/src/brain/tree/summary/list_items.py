"""Rule ``list``: the items of a first block that is a list."""

import re

from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import joined, plain

#: GitHub's task lists.
_BOX = re.compile(r"\A\[[ xX]\] ")


def list_items(subject: Subject) -> str:
    """Take the list's items in order, as many as fit, without the boxes of a task list."""
    block = subject.blocks[0] if subject.blocks else None
    if block is None or block.kind != "list":
        return ""
    items = (_BOX.sub("", plain(item, subject.definitions)) for item in block.items)
    return joined((item for item in items if item), "; ")
