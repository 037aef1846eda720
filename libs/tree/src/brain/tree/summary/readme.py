"""Rule ``readme``: a folder speaks through its README.md or index.md."""

from brain.tree.child_order import is_readme
from brain.tree.summary.children import entry_names
from brain.tree.summary.subject import Entry, FolderSubject
from brain.tree.summary.wording import MAX_CHARS, cut

#: The page of a folder for the site generator Hugo; no README for links, which lead to a website.
_SECTION_PAGE = "_index.md"
#: Room the statement leaves for what else the folder holds.
_STATEMENT_BESIDE_ENTRIES = 160
_HOLDS = " Holds: "
_LEAST_ROOM = 40


def readme(subject: FolderSubject) -> str:
    """Take the summary of the first README.md, index.md or _index.md, in any case, that has one.

    What else the folder holds follows: ``How we work. Holds: Naming · Reviews``.
    """
    speaker = next((entry for entry in subject.entries if _speaks(entry)), None)
    if speaker is None:
        return ""
    others = [entry for entry in subject.entries if not _is_page(entry)]
    if not others:
        return speaker.summary
    statement = cut(speaker.summary, _STATEMENT_BESIDE_ENTRIES)
    if statement[-1].isalnum():
        statement += "."
    room = MAX_CHARS - len(statement) - len(_HOLDS)
    return f"{statement}{_HOLDS}{entry_names(others, room)}" if room >= _LEAST_ROOM else statement


def _speaks(entry: Entry) -> bool:
    return _is_page(entry) and bool(entry.summary)


def _is_page(entry: Entry) -> bool:
    name = entry.name.casefold()
    return not entry.is_folder and (is_readme(name) or name == _SECTION_PAGE)
