"""Local repositories: finds and reads references in place, never asking the source's Git.

Only a few small files are read (HEAD, loose references, packed-refs, commondir, gitdir,
shallow, alternates); hooks and configuration of the source have no effect, and who owns the
files does not matter, because nothing of them is run.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from brain.gitmirror.branch_name import is_branch
from brain.gitmirror.regular_file import read_regular
from brain.gitmirror.tip import DETACHED, Reason, Tip, no_tip

_MAX_SMALL_FILE = 64 * 1024
_MAX_PACKED_REFS = 256 * 1024 * 1024
_MAX_SYMREFS = 5
_MAX_ALTERNATE_DEPTH = 5
_MAX_ALTERNATES = 64
_OID = re.compile(rb"[0-9a-f]{40}")
_SHA256_FORMAT = re.compile(rb"objectformat\s*=\s*\"?sha256", re.IGNORECASE)
_REFTABLE_FORMAT = re.compile(rb"refstorage\s*=\s*\"?reftable", re.IGNORECASE)
_HEADS = b"refs/heads/"
_REF_NAME = re.compile(rb"refs(?:/(?!\.)[^\x00-\x20\x7f~^:?*\[\\/]+)+")


class LocalRepositoryError(Exception):
    """The local repository cannot be read; *reason* says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class LocalRepository(msgspec.Struct, frozen=True):
    """The directories of one repository on disk, resolved."""

    #: Holds HEAD; a linked worktree has its own.
    git_dir: Path
    #: Holds refs, packed-refs, objects and shallow.
    common_dir: Path
    allowed_roots: tuple[Path, ...] | None = None

    @property
    def objects(self) -> Path:
        """Return the directory of the repository's own objects."""
        return self.common_dir / "objects"


def locate(path: Path, allowed_roots: tuple[Path, ...] | None = None) -> LocalRepository:
    """Find the Git directories of the repository at *path*.

    Raises:
        LocalRepositoryError: ``not-a-repository``, ``not-allowed`` (the path, or a directory it
            leads to, lies outside *allowed_roots*), ``sha256`` or ``unsupported`` (reftable).

    Source: gitrepository-layout(5).
    """
    git_dir = _allowed(_git_dir(_allowed(path, allowed_roots)), allowed_roots)
    named = _small_file(git_dir / "commondir")
    common = git_dir if named is None else _allowed(git_dir / _as_path(named), allowed_roots)
    if not (common / "objects").is_dir() or _small_file(git_dir / "HEAD") is None:
        raise LocalRepositoryError("not-a-repository")
    _allowed(common / "objects", allowed_roots)
    config = _small_file(common / "config") or b""
    if _SHA256_FORMAT.search(config):
        raise LocalRepositoryError("sha256")
    if _REFTABLE_FORMAT.search(config):
        raise LocalRepositoryError("unsupported")
    return LocalRepository(git_dir, common, allowed_roots)


def peek_local(path: Path, branch: str | None, allowed_roots: tuple[Path, ...] | None) -> Tip:
    """Say where *branch*, or the branch checked out at *path*, stands; a few small reads."""
    try:
        repository = locate(path, allowed_roots)
        if branch is None:
            return _head_tip(repository)
        commit = _resolve(repository, _HEADS + branch.encode())
    except LocalRepositoryError as error:
        return no_tip(branch, error.reason)
    if commit is not None:
        return Tip(branch, commit)
    return no_tip(branch, "branch-gone" if any(_heads(repository)) else "empty")


def list_local_branches(path: Path, allowed_roots: tuple[Path, ...] | None) -> list[str]:
    """Name the branches at *path* that can be followed, sorted; empty when it cannot tell."""
    try:
        heads = set(_heads(locate(path, allowed_roots)))
    except LocalRepositoryError:
        return []
    names = (os.fsdecode(head.removeprefix(_HEADS)) for head in heads)
    return sorted(name for name in names if name.isprintable() and is_branch(name))


def object_directories(repository: LocalRepository) -> list[Path]:
    """List the object directories of *repository*: its own, then its alternates, each once.

    Alternates are followed five deep and 64 in all. One that is missing or not allowed is left
    out, as Git leaves out a missing one.

    Source: gitrepository-layout(5), objects/info/alternates.
    """
    found: dict[Path, None] = {}
    pending = [(repository.objects.resolve(), 0)]
    while pending and len(found) <= _MAX_ALTERNATES:
        directory, depth = pending.pop(0)
        if directory in found:
            continue
        found[directory] = None
        if depth < _MAX_ALTERNATE_DEPTH:
            nearer = _alternates(directory, repository.allowed_roots)
            pending.extend((alternate, depth + 1) for alternate in nearer)
    return list(found)


def shallow_commits(repository: LocalRepository) -> set[str]:
    """Return the commits whose parents the source says it does not hold."""
    text = _small_file(repository.common_dir / "shallow", _MAX_PACKED_REFS) or b""
    return {line.decode() for line in text.split(b"\n") if _OID.fullmatch(line)}


def _alternates(directory: Path, allowed_roots: tuple[Path, ...] | None) -> Iterator[Path]:
    text = _small_file(directory / "info" / "alternates") or b""
    for line in text.split(b"\n")[:_MAX_ALTERNATES]:
        if not line or line.startswith((b"#", b'"')):
            continue
        try:
            alternate = _allowed(directory / os.fsdecode(line), allowed_roots)
        except LocalRepositoryError:
            continue
        if alternate.is_dir():
            yield alternate


def _git_dir(path: Path) -> Path:
    inner = path / ".git"
    if inner.is_dir():
        return inner
    pointer = _small_file(inner) if inner.is_file() else _small_file(path)
    if pointer is None:
        return path
    if not pointer.startswith(b"gitdir: "):
        raise LocalRepositoryError("not-a-repository")
    return inner.parent / _as_path(pointer.removeprefix(b"gitdir: "))


def _allowed(path: Path, allowed_roots: tuple[Path, ...] | None) -> Path:
    try:
        resolved = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise LocalRepositoryError("not-a-repository") from None
    if allowed_roots is None or any(resolved.is_relative_to(root) for root in allowed_roots):
        return resolved
    raise LocalRepositoryError("not-allowed")


def _head_tip(repository: LocalRepository) -> Tip:
    head = _small_file(repository.git_dir / "HEAD") or b""
    if not head.startswith(b"ref:"):
        commit = _as_commit(head)
        return no_tip(None, "not-a-repository") if commit is None else Tip(DETACHED, commit)
    name = head.removeprefix(b"ref:").strip()
    branch = os.fsdecode(name.removeprefix(_HEADS))
    if not name.startswith(_HEADS) or not branch.isprintable() or not is_branch(branch):
        return no_tip(None, "branch-name")
    commit = _resolve(repository, name)
    return no_tip(branch, "empty") if commit is None else Tip(branch, commit)


def _resolve(repository: LocalRepository, name: bytes) -> str | None:
    for _ in range(_MAX_SYMREFS):
        if not _REF_NAME.fullmatch(name):
            return None
        loose = _small_file(repository.common_dir / os.fsdecode(name))
        if loose is None:
            return _packed_refs(repository).get(name)
        if not loose.startswith(b"ref:"):
            return _as_commit(loose)
        name = loose.removeprefix(b"ref:").strip()
    return None


def _packed_refs(repository: LocalRepository) -> dict[bytes, str]:
    text = _small_file(repository.common_dir / "packed-refs", _MAX_PACKED_REFS) or b""
    refs = {}
    for line in text.split(b"\n"):
        oid, _, name = line.partition(b" ")
        if name and _OID.fullmatch(oid):
            refs[name] = oid.decode()
    return refs


def _heads(repository: LocalRepository) -> Iterator[bytes]:
    yield from (name for name in _packed_refs(repository) if name.startswith(_HEADS))
    top = repository.common_dir / "refs" / "heads"
    for folder, _, names in os.walk(os.fsencode(top)):
        for name in names:
            if not name.endswith(b".lock"):
                yield _HEADS + os.path.relpath(folder + b"/" + name, os.fsencode(top))


def _as_commit(text: bytes) -> str | None:
    commit = text.strip()
    return commit.decode() if _OID.fullmatch(commit) else None


def _as_path(text: bytes) -> Path:
    return Path(os.fsdecode(text.rstrip(b"\r\n")))


def _small_file(path: Path, limit: int = _MAX_SMALL_FILE) -> bytes | None:
    """Read a regular file; None when there is none or it is over *limit*."""
    try:
        text = read_regular(path, limit + 1)
    except (OSError, ValueError):
        return None
    return text if text is not None and len(text) <= limit else None
