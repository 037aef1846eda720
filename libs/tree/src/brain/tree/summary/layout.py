"""Rule ``layout``: what the repository's layout says a folder holds."""

from brain.tree.summary.children import entry_names
from brain.tree.summary.subject import FolderSubject
from brain.tree.summary.wording import cut


def layout(subject: FolderSubject) -> str:
    """Word it as ``Holds business rules: rtn01 (Unopened articles) · rtn02``."""
    if not subject.layout:
        return ""
    entries = entry_names(subject.entries)
    return cut(f"Holds {subject.layout}: {entries}" if entries else f"Holds {subject.layout}")
