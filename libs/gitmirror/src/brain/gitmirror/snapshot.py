"""Snapshots: one commit of a mirror, read from its objects."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import MirrorCorruptError, ObjectMissingError
from brain.gitmirror.object_store import ObjectStore
from brain.gitmirror.tree_diff import diff_markdown
from brain.gitmirror.tree_walk import (
    MAX_DEPTH,
    EntryKind,
    TreeEntry,
    WalkedEntry,
    is_refused_name,
    parse_tree,
    walk_markdown,
)

_TREE_LINE = re.compile(rb"tree ([0-9a-f]{40})\n")


class MarkdownEntry(msgspec.Struct, frozen=True):
    """A Markdown file of a snapshot, or an entry that is left out for its kind."""

    #: From the root, separated by ``/``; bytes as stored, of any encoding.
    path: bytes
    #: Git's mode, such as 0o100644.
    mode: int
    #: 40 lower-case hex digits.
    oid: str
    kind: EntryKind
    #: Bytes; None when the mirror lacks the blob, and for kinds other than ``file``.
    size: int | None


class EntryChange(msgspec.Struct, frozen=True):
    """One path that differs between two commits; None on the side that lacks it."""

    before: MarkdownEntry | None
    after: MarkdownEntry | None


class Snapshot:
    """One commit of one mirror. A snapshot serves one thread; each opens its own."""

    def __init__(self, store: ObjectStore, commit: str) -> None:
        self.commit = commit
        self.tree = read_commit_tree(store, commit)
        self._store = store

    def markdown_entries(self) -> Iterator[MarkdownEntry]:
        """Yield the Markdown entries in tree order; see ``walk_markdown`` for which and why.

        Raises:
            TreeTooLargeError: the tree has too many entries.
            ObjectMissingError: the mirror lacks a tree of this commit.
            MirrorCorruptError: a tree is damaged.
        """
        for entry in walk_markdown(self.tree, self._read_tree):
            yield self._sized(entry)

    def changes_since(self, older: "Snapshot") -> Iterator[EntryChange]:
        """Yield the Markdown entries that differ from an *older* commit of the same mirror.

        An entry is compared by path, mode, content and kind; renames are a removal and an
        addition. Raises as `markdown_entries` does.
        """
        for before, after in diff_markdown(older.tree, self.tree, self._read_tree):
            yield EntryChange(
                older._sized(before) if before else None,  # noqa: SLF001 - our own class
                self._sized(after) if after else None,
            )

    def read_blob(self, oid: str) -> bytes:
        """Return the content of the blob *oid*, of any size: judge the size first.

        Raises:
            ObjectMissingError: the mirror lacks it, or it is no blob.
            MirrorCorruptError: it is damaged.
        """
        return self._store.read(oid, ObjectType.BLOB)

    def blob_size(self, oid: str) -> int | None:
        """Return the size of a blob without reading it; None when no such blob is here.

        Raises:
            MirrorCorruptError: it is damaged where its size is written.
        """
        return self._store.blob_size(oid)

    def find_entry(self, path: bytes) -> TreeEntry | None:
        """Return the entry at *path*, the first of its name; None where there is none.

        A path that no walk could have given (empty, absolute, with ``..``, too deep) has none.

        Raises:
            ObjectMissingError: the mirror lacks a tree on the way.
            MirrorCorruptError: a tree on the way is damaged.
        """
        names = path.split(b"/")
        if len(names) > MAX_DEPTH + 1 or any(map(is_refused_name, names)):
            return None
        oid = self.tree
        for depth, name in enumerate(names, start=1):
            entry = next((e for e in parse_tree(self._read_tree(oid)) if e.name == name), None)
            if entry is None or depth == len(names):
                return entry
            if not entry.is_folder:
                return None
            oid = entry.oid
        return None

    def read(self, path: bytes) -> bytes:
        """Return the content of the file at *path*; a symbolic link is not followed.

        Raises:
            ObjectMissingError: there is no file at *path*, or the mirror lacks its blob.
            MirrorCorruptError: an object on the way is damaged.
        """
        entry = self.find_entry(path)
        if entry is None or not entry.is_file:
            raise ObjectMissingError
        return self.read_blob(entry.oid)

    def _sized(self, entry: WalkedEntry) -> MarkdownEntry:
        size = self._store.blob_size(entry.oid) if entry.kind == "file" else None
        return MarkdownEntry(entry.path, entry.mode, entry.oid, entry.kind, size)

    def _read_tree(self, oid: str) -> bytes:
        return self._store.read(oid, ObjectType.TREE)


def open_snapshot(root: Path, source_id: int, commit: str) -> Snapshot:
    """Open *commit*, 40 hex digits, of the mirror of a source, for reading.

    Only the object files are opened: no configuration, reference or hook of the mirror is read.

    Raises:
        MirrorMissingError: the source has no mirror.
        ObjectMissingError: the mirror does not hold this commit.
        MirrorCorruptError: the commit is damaged.
    """
    return Snapshot(ObjectStore(root / f"{source_id}.git" / "objects"), commit)


def read_commit_tree(store: ObjectStore, commit: str) -> str:
    """Return the id of the root tree of *commit*, after making sure that it can be read.

    Raises:
        ObjectMissingError: the commit or its tree is not here.
        MirrorCorruptError: the commit or its tree is damaged.
    """
    match = _TREE_LINE.match(store.read(commit, ObjectType.COMMIT))
    if match is None:
        raise MirrorCorruptError(commit)
    tree = match[1].decode()
    store.read(tree, ObjectType.TREE)
    return tree
