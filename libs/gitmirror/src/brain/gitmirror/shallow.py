"""Shallow marks: which commits of a mirror have parents that it does not hold."""

from pathlib import Path

from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import ObjectMissingError
from brain.gitmirror.object_store import ObjectStore


def settle_shallow(path: Path, source: set[str]) -> None:
    """Write the mirror's shallow file from its own marks and those of its *source*.

    A mark stays only while a parent is missing here: a source that was deepened brings the
    parents, and one that was cut again takes none away from a mirror that holds them.

    Source: gitrepository-layout(5), shallow.
    """
    file = path / "shallow"
    own = set(file.read_text(encoding="ascii").split()) if file.exists() else set()
    if not own and not source:
        return
    store = ObjectStore(path / "objects")
    marks = sorted(commit for commit in own | source if _lacks_parents(store, commit))
    temporary = path / "shallow.lock"
    temporary.write_text("".join(f"{mark}\n" for mark in marks), encoding="ascii")
    temporary.rename(file)


def _lacks_parents(store: ObjectStore, commit: str) -> bool:
    try:
        header = store.read(commit, ObjectType.COMMIT).partition(b"\n\n")[0]
        for line in header.split(b"\n"):
            if line.startswith(b"parent "):
                store.read(line[7:].decode("ascii", "replace"), ObjectType.COMMIT)
    except ObjectMissingError:
        return True
    return False
