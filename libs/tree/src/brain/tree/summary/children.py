"""Rules ``children``: what a node contains."""

from collections.abc import Sequence

from brain.tree.link_targets import stem
from brain.tree.summary.subject import Entry, FolderSubject, Subject
from brain.tree.summary.wording import MAX_CHARS, cut, joined

_SEPARATOR = " · "
#: Characters of a name in a list that does not fit.
_MAX_NAME = 32


def children(subject: Subject) -> str:
    """List the titles of the sections of a node."""
    return joined((part.title for part in subject.parts), _SEPARATOR)


def folder_children(subject: FolderSubject) -> str:
    """Give the one document of a folder by title and summary, else list the entries.

    Only the direct entries count: a folder with one folder lists it.
    """
    entries = subject.entries
    if len(entries) == 1 and not entries[0].is_folder:
        only = entries[0]
        name = entry_name(only)
        return cut(f"{name}: {only.summary}" if only.summary else name)
    return entry_names(entries)


def entry_names(entries: Sequence[Entry]) -> str:
    """Name the entries in order; when they do not all fit, long names are cut to show more."""
    names = [entry_name(entry) for entry in entries]
    if sum(map(len, names)) + len(_SEPARATOR) * (len(names) - 1) > MAX_CHARS:
        names = [cut(name, _MAX_NAME) for name in names]
    return joined(names, _SEPARATOR)


def entry_name(entry: Entry) -> str:
    """Name a document by its title, a folder by its name and its only document's title."""
    if not entry.is_folder:
        return stem(entry.title) if entry.title == entry.name else entry.title
    if entry.only_document_title:
        return f"{entry.name} ({stem(entry.only_document_title)})"
    return entry.name
