import subprocess
from pathlib import Path

import pygit2
import pytest
from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import settle_libgit2
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.object_store import ObjectStore

_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


class Source:
    """A repository built from raw objects, so that it may hold what Git would refuse to write."""

    def __init__(self, path: Path, *, bare: bool = False):
        settle_libgit2()
        self.path = path
        self.repository = pygit2.init_repository(str(path), bare=bare, initial_head="main")
        self.git_dir = Path(self.repository.path)
        self.clock = 1_700_000_000

    def blob(self, content: bytes) -> str:
        return str(self.repository.odb.write(ObjectType.BLOB, content))

    def tree(self, entries) -> str:
        """Write a tree as given: no sorting, no check of names."""
        raw = b"".join(b"%o %s\0" % (m, n) + bytes.fromhex(oid) for m, n, oid in entries)
        return str(self.repository.odb.write(ObjectType.TREE, raw))

    def tree_of(self, files: dict) -> str:
        entries = []
        for name, content in files.items():
            if isinstance(content, dict):
                entries.append((0o40000, name, self.tree_of(content)))
            else:
                entries.append((0o100644, name, self.blob(content)))
        return self.tree(sorted(entries, key=lambda e: e[1] + b"/" * (e[0] == 0o40000)))

    def commit_tree(self, tree: str, *, branch: str = "main", parents: list | None = None) -> str:
        reference = f"refs/heads/{branch}"
        if parents is None:
            known = reference in self.repository.references
            parents = [str(self.repository.references[reference].target)] if known else []
        self.clock += 60
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        who = f"A <a@example.org> {self.clock} +0000"
        text = "\n".join([*lines, f"author {who}", f"committer {who}", "", "change\n"])
        oid = self.repository.odb.write(ObjectType.COMMIT, text.encode())
        self.repository.references.create(reference, oid, force=True)
        return str(oid)

    def commit(self, files: dict, **where) -> str:
        return self.commit_tree(self.tree_of(files), **where)

    def git(self, *arguments: str) -> str:
        return run_git_in(self.path, *arguments)

    @property
    def store(self) -> ObjectStore:
        return ObjectStore(self.git_dir / "objects")

    def object_file(self, oid: str) -> Path:
        return self.git_dir / "objects" / oid[:2] / oid[2:]


def run_git_in(path: Path, *arguments: str) -> str:
    command = ["git", "-C", str(path), *arguments]
    done = subprocess.run(command, env=_ENVIRONMENT, check=True, capture_output=True, timeout=30)
    return done.stdout.decode()


@pytest.fixture
def make_source(tmp_path):
    def make(name="source", *, bare=False):
        return Source(tmp_path / name, bare=bare)

    return make


@pytest.fixture
def source(make_source):
    return make_source()


@pytest.fixture
def mirror(tmp_path):
    return Mirror(tmp_path / "mirrors", 7)


@pytest.fixture
def git_in():
    return run_git_in
