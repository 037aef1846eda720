"""Rule ``fields``: a card's ``- **key:** value`` list."""

import re

from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import joined, plain

_FIELD = re.compile(r"(?:\*\*|__)[^*_\n]{1,60}?(?::(?:\*\*|__)|(?:\*\*|__)\s*:)")


def fields(subject: Subject) -> str:
    """Take the fields of a first block that is a list of them: ``Owner: Ana · State: open``."""
    block = subject.blocks[0] if subject.blocks else None
    if block is None or block.kind != "list" or not block.items:
        return ""
    if not all(_FIELD.match(item) for item in block.items):
        return ""
    return joined((plain(item, subject.definitions) for item in block.items), " · ")
