"""Rule ``readme``: a folder speaks through its README.md or index.md."""

from brain.tree.child_order import is_readme
from brain.tree.summary.subject import FolderSubject


def readme(subject: FolderSubject) -> str:
    """Take the summary of the first README.md or index.md, in any case, that has one."""
    for entry in subject.entries:
        if not entry.is_folder and is_readme(entry.name) and entry.summary:
            return entry.summary
    return ""
