"""The repositories of a run: the measured one and parts of it, all in the bench's own folder.

What is measured is never written to. Its objects are borrowed, and the commits that the bench makes
go into a repository beside it.
"""

import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from brain.evaluation.bench.git import commit_stream, git, read_blobs
from brain.tree.inclusion import MAX_DOCUMENTS, judge_entry


class Document(msgspec.Struct, frozen=True):
    """A document that Brain indexes."""

    path: bytes
    oid: str
    size_bytes: int


class Repository:
    """A bare repository whose branch ``main`` the bench moves.

    Args:
        path: of the repository.
        documents: what is indexed of its tip, in path order.
    """

    def __init__(self, path: Path, documents: Sequence[Document]) -> None:
        self.path = path
        self.documents = tuple(documents)
        self._texts: dict[bytes, bytes] = {}
        self._random = Random(1)  # noqa: S311 - equal runs, not secrets
        self._count = 0

    @property
    def tip(self) -> str:
        """The commit that the branch is at."""
        return git(self.path, "rev-parse", "refs/heads/main").decode().strip()

    @property
    def text_bytes(self) -> int:
        """Bytes of all documents."""
        return sum(document.size_bytes for document in self.documents)

    def commit_count(self) -> int:
        """Count the commits of the tip's history."""
        return int(git(self.path, "rev-list", "--count", "refs/heads/main"))

    def change(self, count: int = 1) -> str:
        """Commit a new paragraph at the end of some documents; returns the commit."""
        chosen = self._random.sample(self.documents, min(count, len(self.documents)))
        self._count += 1
        texts = {document.path: self._longer(document) for document in chosen}
        self._texts |= texts
        parent = self.tip
        stream = commit_stream(self._count, int(time.time()), texts, parent=parent)
        git(self.path, "fast-import", "--quiet", given=stream)
        return self.tip

    def texts(self, documents: Sequence[Document]) -> Iterator[bytes]:
        """Yield the texts of documents as the first tip has them."""
        return read_blobs(self.path, [document.oid for document in documents])

    def _longer(self, document: Document) -> bytes:
        text = self._texts.get(document.path)
        if text is None:
            text = next(self.texts([document]))
        return text + f"\n\nParagraph {self._count} of the bench.\n".encode()


def borrow(source: Path, path: Path) -> Repository:
    """Make a repository with the history of another one's HEAD, borrowing its objects.

    Raises:
        GitFailedError: it is no repository, or has no commit.
    """
    tip = git(source, "rev-parse", "HEAD^{commit}").decode().strip()
    _init_over(source, path)
    shallow = _place(source, "shallow")
    if shallow.exists():
        shutil.copyfile(shallow, path / "shallow")
    git(path, "update-ref", "refs/heads/main", tip)
    return Repository(path, _documents(path))


def part_of(whole: Repository, path: Path, count: int) -> Repository:
    """Make a repository of *count* documents of another, spread evenly, in one commit."""
    step = max(1, len(whole.documents) // max(1, count))
    chosen = whole.documents[::step][:count]
    _init_over(whole.path, path)
    blobs = {document.path: document.oid for document in chosen}
    stream = commit_stream(0, int(time.time()), {}, blobs=blobs)
    git(path, "fast-import", "--quiet", given=stream)
    return Repository(path, chosen)


def init_bare(path: Path) -> None:
    """Make an empty bare repository whose HEAD is ``main``."""
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--bare", "--initial-branch=main", ".")


def _init_over(source: Path, path: Path) -> None:
    init_bare(path)
    objects = str(_place(source, "objects"))
    (path / "objects" / "info" / "alternates").write_text(f"{objects}\n", encoding="utf-8")


def _place(repository: Path, name: str) -> Path:
    told = git(repository, "rev-parse", "--path-format=absolute", "--git-path", name)
    return Path(told.decode().removesuffix("\n"))


def _documents(path: Path) -> list[Document]:
    entries = [_entry(line) for line in git(path, "ls-tree", "-rz", "main").split(b"\0") if line]
    markdown = [entry for entry in entries if entry[2][-3:].lower() == b".md"]
    asked = "".join(f"{oid}\n" for _, oid, _ in markdown).encode()
    told = git(path, "cat-file", "--batch-check=%(objectsize)", given=asked).splitlines()
    found = []
    for (mode, oid, name), size in zip(markdown, told, strict=True):
        size_bytes = int(size) if size.isdigit() else None
        verdict = judge_entry(name, mode, size_bytes)
        if verdict is not None and verdict.reason is None:
            found.append(Document(name, oid, size_bytes or 0))
    found.sort(key=lambda document: document.path)
    return found[:MAX_DOCUMENTS]


def _entry(line: bytes) -> tuple[int, str, bytes]:
    described, _, name = line.partition(b"\t")
    mode, _, oid = described.decode().split()
    return int(mode, 8), oid, name
