"""Rule ``code``: the language of a first block that is code."""

from brain.markdown.visible import visible
from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import cut


def code(subject: Subject) -> str:
    """Word it as ``Code: python``, or ``Code`` when no language is named."""
    block = subject.blocks[0] if subject.blocks else None
    if block is None or block.kind not in ("fence", "code"):
        return ""
    language = visible(block.content.partition("\n")[0]).split()[:1]
    return cut(f"Code: {language[0]}") if language else "Code"
