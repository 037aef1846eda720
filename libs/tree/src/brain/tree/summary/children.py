"""Rules ``children``: what a node contains."""

import re
from collections.abc import Sequence

from brain.tree.link_targets import stem
from brain.tree.summary.common_words import common_words
from brain.tree.summary.subject import Entry, FolderSubject, Subject
from brain.tree.summary.wording import MAX_CHARS, cut, joined

_WORD = re.compile(r"[^\W_]+")
_SEPARATOR = " · "
#: Between names that others stand between.
_GAP = " .. "
#: Characters of a name in a list that does not fit.
_MAX_NAME = 32
#: From this many entries on the words they share say more than a few of their names.
_MANY = 12
_LEAST_WORDS = 3
#: Of a title in parentheses one word in so many is not in the folder's name.
_NEWS = 3
#: Room that is worth a name or two.
_LEAST_SPAN = 60


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


def entry_names(entries: Sequence[Entry], limit: int = MAX_CHARS) -> str:
    """Name the entries in order where they fit, else say what they share and where they range.

    Of many entries the words of their names are given, those of most names before the others:
    ``pod volume kubelet``. Where there are few such words, as among numbered names, names follow
    that lie evenly over all of them, the first and the last included.
    """
    names = [entry_name(entry) for entry in entries]
    if sum(map(len, names)) + len(_SEPARATOR) * (len(names) - 1) <= limit:
        return _SEPARATOR.join(names)
    words = common_words(names)
    if len(entries) < _MANY or len(words) < _LEAST_WORDS:
        return _spread([cut(name, _MAX_NAME) for name in names], limit)
    shared = _fitting(words, " ", limit)
    room = limit - len(shared) - 2
    if room < _LEAST_SPAN:
        return shared
    return f"{shared}: {_spread([cut(name, _MAX_NAME) for name in names], room)}"


def _fitting(parts: Sequence[str], separator: str, limit: int) -> str:
    text = parts[0]
    for part in parts[1:]:
        if len(text) + len(separator) + len(part) > limit:
            break
        text += separator + part
    return text


def _spread(names: Sequence[str], limit: int) -> str:
    """Join as many names as fit, evenly spaced, the first and the last among them."""
    count = len(names)
    while count > 1:
        chosen = [names[at * (len(names) - 1) // (count - 1)] for at in range(count)]
        text = _joined(chosen, has_gaps=count < len(names))
        if len(text) <= limit:
            return text
        count = min(count - 1, int(count * limit / len(text)) + 1)
    return cut(names[0], limit)


def _joined(names: Sequence[str], *, has_gaps: bool) -> str:
    if not has_gaps:
        return _SEPARATOR.join(names)
    return _GAP.join([*(name.rstrip("…") for name in names[:-1]), names[-1]])


def entry_name(entry: Entry) -> str:
    """Name a document by its title, a folder by its name and its only document's title.

    A title that says little more than the folder's name, or nothing, is left out.
    """
    if not entry.is_folder:
        return stem(entry.title) if entry.title == entry.name else entry.title
    title = stem(entry.only_document_title)
    return f"{entry.name} ({title})" if _says_more(title, entry.name) else entry.name


def _says_more(title: str, name: str) -> bool:
    words = _WORD.findall(title.casefold())
    known = {"readme", "index", "_index", *_WORD.findall(name.casefold())}
    return sum(word not in known for word in words) * _NEWS > len(words)
