"""Folders: turn the Markdown of a plain directory into commits of a private repository."""

import contextlib
import os
import time
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import open_bare
from brain.gitmirror.mirror import LOCK_S, beside, create
from brain.gitmirror.mirror_lock import locked
from brain.gitmirror.object_store import ObjectStore
from brain.gitmirror.regular_file import read_regular
from brain.gitmirror.snapshot import read_commit_tree
from brain.gitmirror.tree_walk import MAX_DEPTH

_MAIN = "refs/heads/main"
_AUTHOR = ("Brain", "brain@localhost")
_MESSAGE = "Index the folder"
_FILE, _LINK, _FOLDER = b"100644", b"120000", b"40000"
#: Far above what is indexed, so that oversized documents are still counted there.
_MAX_FILE_BYTES = 64 * 1024 * 1024


class FolderError(OSError):
    """The folder to index does not exist or cannot be read."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def commit_folder(directory: Path, repository: Path) -> str:
    """Commit the Markdown under *directory* on ``main`` of the bare *repository*.

    Taken are regular files whose name ends in ``.md`` in any case, at most 64 folders deep and
    64 MiB large, and ``.brain/config.yaml``. Of symbolic links the names are kept, so that they are
    counted, and never where they lead; hidden folders are left out. The repository is made when
    there is none, nothing is ever checked out, and a tree equal to the last one makes no commit.

    Returns:
        The commit that holds the folder, 40 hex digits.

    Raises:
        FolderError: *directory* is no folder that can be read.
        MirrorBusyError: another process is committing to *repository*.
        OSError: the disk is full.
    """
    if not directory.is_dir() or not os.access(directory, os.R_OK | os.X_OK):
        raise FolderError
    repository.parent.mkdir(parents=True, exist_ok=True)
    with locked(repository.with_name(f"{repository.name}.lock"), LOCK_S):
        if not repository.is_dir():
            fresh = beside(repository)
            create(fresh, head=_MAIN)
            fresh.rename(repository)
        bare = open_bare(repository)
        tree = _root_tree(directory.resolve(), bare.odb)
        return _commit(bare, ObjectStore(repository / "objects"), tree)


def _commit(bare: pygit2.Repository, store: ObjectStore, tree: pygit2.Oid) -> str:
    parent = bare.references[_MAIN].target if _MAIN in bare.references else None
    if parent is not None and read_commit_tree(store, str(parent)) == str(tree):
        return str(parent)
    who = pygit2.Signature(*_AUTHOR, int(time.time()), 0)
    parents = [] if parent is None else [parent]
    return str(bare.create_commit(_MAIN, who, who, _MESSAGE, tree, parents))


def _root_tree(directory: Path, odb: pygit2.Odb) -> pygit2.Oid:
    entries = _entries(directory, odb, 0)
    config = _blob(directory / ".brain" / "config.yaml", odb)
    if config is not None and not (directory / ".brain").is_symlink():
        inner = _write_tree(odb, [(_FILE, b"config.yaml", config)])
        entries.append((_FOLDER, b".brain", inner))
    return _write_tree(odb, entries)


_Entry = tuple[bytes, bytes, pygit2.Oid]


def _entries(folder: Path, odb: pygit2.Odb, depth: int) -> list[_Entry]:
    entries: list[_Entry] = []
    with contextlib.suppress(PermissionError), os.scandir(folder) as found:
        for item in sorted(found, key=lambda item: item.name):
            name, path = os.fsencode(item.name), Path(item.path)
            if item.is_dir(follow_symlinks=False):
                if name.startswith(b".") or depth == MAX_DEPTH:
                    continue
                inner = _entries(path, odb, depth + 1)
                if inner:
                    entries.append((_FOLDER, name, _write_tree(odb, inner)))
            elif name[-3:].lower() != b".md":
                continue
            elif item.is_symlink():
                entries.append((_LINK, name, odb.write(ObjectType.BLOB, b"")))
            else:
                blob = _blob(path, odb)
                if blob is not None:
                    entries.append((_FILE, name, blob))
    return entries


def _write_tree(odb: pygit2.Odb, entries: list[_Entry]) -> pygit2.Oid:
    # Git sorts a folder as if its name ended in a slash.
    entries = sorted(entries, key=lambda e: e[1] + b"/" if e[0] == _FOLDER else e[1])
    raw = b"".join(mode + b" " + name + b"\0" + oid.raw for mode, name, oid in entries)
    return odb.write(ObjectType.TREE, raw)


def _blob(path: Path, odb: pygit2.Odb) -> pygit2.Oid | None:
    """Store the regular file at *path*; None for anything else, and for what cannot be read."""
    try:
        content = read_regular(path, _MAX_FILE_BYTES + 1)
    except OSError:
        return None
    if content is None or len(content) > _MAX_FILE_BYTES:
        return None
    return odb.write(ObjectType.BLOB, content)
