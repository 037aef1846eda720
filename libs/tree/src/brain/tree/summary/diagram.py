"""Rule ``diagram``: the kind of a first block that is a Mermaid diagram."""

from brain.tree.summary.subject import Subject
from brain.tree.summary.wording import cut


def diagram(subject: Subject) -> str:
    """Word it as ``Diagram: sequenceDiagram``."""
    block = subject.blocks[0] if subject.blocks else None
    if block is None or block.kind != "fence":
        return ""
    info, _, first_line = block.content.partition("\n")
    if info.split()[:1] != ["mermaid"]:
        return ""
    words = first_line.split()
    return cut(f"Diagram: {words[0]}") if words else "Diagram"
