"""Tiny Git repositories for tests, made from objects alone: no checkout, no git binary."""

from collections.abc import Mapping
from pathlib import Path

import pygit2

_AUTHOR = "Test Author"
_EMAIL = "author@test.invalid"
#: Commits are a minute apart, so that dates tell them apart and runs do not differ.
_FIRST_S = 1_700_000_000
_STEP_S = 60


class TestRepository:
    """A bare repository with one branch that grows by whole trees.

    Args:
        path: where it is made; must not exist.
        branch: what HEAD points at.
    """

    __test__ = False

    def __init__(self, path: Path, branch: str = "main") -> None:
        self.path = path
        self.branch = branch
        self._repository = pygit2.init_repository(str(path), bare=True, initial_head=branch)
        self._count = 0

    def commit(self, files: Mapping[str, str | bytes], message: str = "Change") -> str:
        """Commit exactly these files, whatever was there before; returns the commit."""
        tree = self._tree({name: _bytes(content) for name, content in files.items()})
        reference = f"refs/heads/{self.branch}"
        known = reference in self._repository.references
        parents = [self._repository.references[reference].target] if known else []
        moment = _FIRST_S + _STEP_S * self._count
        self._count += 1
        who = pygit2.Signature(_AUTHOR, _EMAIL, moment, 0)
        oid = self._repository.create_commit(reference, who, who, message, tree, parents)
        return str(oid)

    def reset(self, commit: str) -> None:
        """Force the branch to a commit."""
        self._repository.references.create(
            f"refs/heads/{self.branch}", pygit2.Oid(hex=commit), force=True
        )

    def show(self, commit: str, path: str) -> bytes:
        """Return a file's bytes at a commit, as ``git show`` does."""
        found = self._repository[pygit2.Oid(hex=commit)].peel(pygit2.Tree)[path]
        assert isinstance(found, pygit2.Blob)
        return found.data

    def _tree(self, files: Mapping[str, bytes]) -> pygit2.Oid:
        folders: dict[str, dict[str, bytes]] = {}
        builder = self._repository.TreeBuilder()
        for name, content in files.items():
            head, slash, rest = name.partition("/")
            if slash:
                folders.setdefault(head, {})[rest] = content
            else:
                blob = self._repository.create_blob(content)
                builder.insert(head, blob, pygit2.enums.FileMode.BLOB)
        for folder, inside in folders.items():
            builder.insert(folder, self._tree(inside), pygit2.enums.FileMode.TREE)
        return builder.write()


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
