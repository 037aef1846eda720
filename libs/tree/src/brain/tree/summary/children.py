"""Rules ``children``: what a node contains."""

from brain.tree.summary.subject import Entry, FolderSubject, Subject
from brain.tree.summary.wording import cut, joined


def children(subject: Subject) -> str:
    """List the titles of the sections of a node."""
    return joined((part.title for part in subject.parts), " · ")


def folder_children(subject: FolderSubject) -> str:
    """Give the one document of a folder by title and summary, else list the entries.

    Only the direct entries count: a folder with one folder lists it.
    """
    entries = subject.entries
    if len(entries) == 1 and not entries[0].is_folder:
        only = entries[0]
        return cut(f"{only.title}: {only.summary}" if only.summary else only.title)
    return joined((entry_name(entry) for entry in entries), " · ")


def entry_name(entry: Entry) -> str:
    """Name a document by its title, a folder by its name and its only document's title."""
    if not entry.is_folder:
        return entry.title
    if entry.only_document_title:
        return f"{entry.name} ({entry.only_document_title})"
    return entry.name
