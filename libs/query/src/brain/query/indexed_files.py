"""Which files of a commit a read may speak of: those that are indexed, at any commit.

History holds more than the index does. An answer that follows lines or names through it says
nothing of a file that is left out, not even where it stands.
"""

from brain.gitmirror.snapshot import Snapshot
from brain.gitmirror.tree_walk import TreeEntry
from brain.tree.inclusion import judge_entry

_FILE = 0o100644


def find_indexed(snapshot: Snapshot, path: str) -> TreeEntry | None:
    """Return the entry of a document at a path; None where there is none or it is left out.

    Raises:
        ObjectMissingError: the mirror lacks a tree on the way.
    """
    raw = path.encode("utf-8", "surrogatepass")
    if not may_be_indexed(raw):
        return None
    entry = snapshot.find_entry(raw)
    if entry is None or not entry.is_file or not is_indexed(snapshot, raw, entry.mode, entry.oid):
        return None
    return entry


def is_indexed(snapshot: Snapshot, path: bytes, mode: int, oid: str) -> bool:
    """Tell whether an entry is indexed; a blob that is not here is taken for one that would be."""
    verdict = judge_entry(path, mode, snapshot.blob_size(oid))
    return verdict is not None and verdict.reason in (None, "missing")


def may_be_indexed(path: bytes) -> bool:
    """Tell whether a file of this path is indexed, if it is a small enough file."""
    verdict = judge_entry(path, _FILE, 0)
    return verdict is not None and verdict.reason is None
