"""Tree walks: the Markdown entries of a commit's tree, read from raw tree objects.

Trees are parsed here because a hostile one may hold anything: names that Git itself refuses to
check out, duplicates, loops of identical folders, endless depth.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from brain.gitmirror.libgit2 import MirrorCorruptError

_ENTRY = re.compile(rb"([0-7]{1,11}) ([^\0]*)\0(.{20})", re.DOTALL)
_FOLDER = 0o040000
_FORMAT_MASK = 0o170000
_FILE = 0o100000
_SYMLINK = 0o120000

#: Folders inside each other that are entered.
MAX_DEPTH = 64
#: Entries of all kinds that one walk looks at.
MAX_ENTRIES = 2_000_000

EntryKind = Literal["file", "symlink", "submodule", "refused-name", "duplicate", "too-deep"]

# Names that stand for .git on a case-insensitive, NTFS or HFS+ file system.
_GIT_ALIAS = re.compile(r"\.git[ .]*(?::.*)?|git~[0-9]+", re.IGNORECASE | re.DOTALL)
_HFS_IGNORED = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


class TreeTooLargeError(Exception):
    """The repository holds more than 2,000,000 files and folders."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class TreeEntry(msgspec.Struct, frozen=True):
    """One entry of a tree, as the tree has it."""

    name: bytes
    #: Git's mode, such as 0o100644.
    mode: int
    #: 40 lower-case hex digits.
    oid: str

    @property
    def is_folder(self) -> bool:
        """Tell whether the entry is another tree."""
        return self.mode & _FORMAT_MASK == _FOLDER

    @property
    def is_file(self) -> bool:
        """Tell whether the entry is a regular file, executable or not."""
        return self.mode & _FORMAT_MASK == _FILE


class WalkedEntry(msgspec.Struct, frozen=True):
    """An entry of the walk: a Markdown file, or something that must be counted as left out."""

    #: From the root, separated by ``/``; bytes as stored, of any encoding.
    path: bytes
    mode: int
    oid: str
    kind: EntryKind


def parse_tree(raw: bytes) -> list[TreeEntry]:
    """Read a tree object of a SHA-1 repository, in stored order, whatever the names are.

    Raises:
        MirrorCorruptError: the bytes are no tree.
    """
    entries, end = [], 0
    for match in _ENTRY.finditer(raw):
        if match.start() != end:
            break
        end = match.end()
        mode, name, oid = match.groups()
        entries.append(TreeEntry(name, int(mode, 8), oid.hex()))
    if end != len(raw):
        raise MirrorCorruptError("a tree is malformed")
    return entries


def walk_markdown(root: str, read_tree: Callable[[str], bytes]) -> Iterator[WalkedEntry]:
    """Walk every folder under the tree *root*, hidden ones included, in tree order.

    Yields each entry whose name ends in ``.md`` in any case, symbolic links and submodules among
    them with their kind; a folder with such a name is walked like any other. Folders that are not
    entered, for their name, as a second entry of one name or below 64 others, are yielded as one
    entry, since what they hold stays unknown.

    Raises:
        TreeTooLargeError: more than 2,000,000 entries were looked at.
        MirrorError: a tree cannot be read.
    """
    seen = 0
    pending = [folder_entries(b"", root, read_tree)]
    while pending:
        child = next(pending[-1], None)
        if child is None:
            pending.pop()
            continue
        seen += 1
        if seen > MAX_ENTRIES:
            raise TreeTooLargeError
        path, entry, kind = child
        if entry.is_folder and kind == "file":
            if len(pending) <= MAX_DEPTH:
                pending.append(folder_entries(path + b"/", entry.oid, read_tree))
                continue
            kind = "too-deep"
        yield WalkedEntry(path, entry.mode, entry.oid, kind)


def folder_entries(
    prefix: bytes, oid: str, read_tree: Callable[[str], bytes]
) -> Iterator[tuple[bytes, TreeEntry, EntryKind]]:
    """Yield one folder's subfolders and Markdown entries with their paths and kinds.

    A subfolder of kind ``file`` is one to walk.
    """
    names: set[bytes] = set()
    for entry in parse_tree(read_tree(oid)):
        if entry.is_folder or entry.name[-3:].lower() == b".md":
            yield prefix + entry.name, entry, _kind(entry, names)
        names.add(entry.name)


def _kind(entry: TreeEntry, names: set[bytes]) -> EntryKind:
    if is_refused_name(entry.name):
        return "refused-name"
    if entry.name in names:
        return "duplicate"
    if entry.is_file or entry.is_folder:
        return "file"
    # Git takes every other mode for a submodule.
    return "symlink" if entry.mode & _FORMAT_MASK == _SYMLINK else "submodule"


def is_refused_name(name: bytes) -> bool:
    """Tell whether *name* is one that no checkout could hold.

    These are the empty name, ``.``, ``..``, names with a slash, and every spelling of ``.git``.
    Whether a name is fit for an index (encoding, control characters) is not decided here.

    Source: git-fsck(1), hasDot, hasDotdot, hasDotgit, fullPathname, emptyName.
    """
    if name in (b"", b".", b"..") or b"/" in name:
        return True
    text = _HFS_IGNORED.sub("", name.decode("utf-8", "replace"))
    return _GIT_ALIAS.fullmatch(text) is not None
