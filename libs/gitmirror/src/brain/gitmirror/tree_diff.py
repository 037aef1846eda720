"""Tree differences: the Markdown entries in which two trees of one mirror differ.

Walks only the folders that differ, and sees exactly what `walk_markdown` sees on either side.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest

from brain.gitmirror.tree_walk import MAX_DEPTH, WalkedEntry, folder_entries

ReadTree = Callable[[str], bytes]
Pair = tuple[WalkedEntry | None, WalkedEntry | None]
_Folder = tuple[list[WalkedEntry], dict[bytes, str]]


def diff_markdown(before: str, after: str, read_tree: ReadTree) -> Iterator[Pair]:
    """Yield (before, after) for every path in which the trees differ, in no particular order.

    Args:
        before: id of the older root tree.
        after: id of the newer root tree.
        read_tree: gives a tree's raw bytes.

    Raises:
        MirrorError: a tree cannot be read.
    """
    pending: list[tuple[bytes, str | None, str | None, int]] = [(b"", before, after, 0)]
    while pending:
        prefix, old, new, depth = pending.pop()
        old_entries, old_folders = _split(prefix, old, depth, read_tree)
        new_entries, new_folders = _split(prefix, new, depth, read_tree)
        yield from _differing(old_entries, new_entries)
        for path in old_folders.keys() | new_folders.keys():
            pair = (old_folders.get(path), new_folders.get(path))
            if pair[0] != pair[1]:
                pending.append((path + b"/", *pair, depth + 1))


def _split(prefix: bytes, tree: str | None, depth: int, read_tree: ReadTree) -> _Folder:
    """Return a folder's entries that count, and its subfolders that are walked."""
    entries: list[WalkedEntry] = []
    folders: dict[bytes, str] = {}
    for path, entry, kind in folder_entries(prefix, tree, read_tree) if tree else ():
        if entry.is_folder and kind == "file" and depth < MAX_DEPTH:
            folders[path] = entry.oid
        elif entry.is_folder and kind == "file":
            entries.append(WalkedEntry(path, entry.mode, entry.oid, "too-deep"))
        else:
            entries.append(WalkedEntry(path, entry.mode, entry.oid, kind))
    return entries, folders


def _differing(old: list[WalkedEntry], new: list[WalkedEntry]) -> Iterator[Pair]:
    """Pair what differs by path; a hostile folder may hold a path more than once."""
    gone, come = Counter(old), Counter(new)
    gone, come = gone - come, come - gone
    by_path: dict[bytes, tuple[list[WalkedEntry], list[WalkedEntry]]] = {}
    for side, entries in enumerate((gone, come)):
        for entry in entries.elements():
            by_path.setdefault(entry.path, ([], []))[side].append(entry)
    for removed, added in by_path.values():
        yield from zip_longest(removed, added)
