"""Git commands of the bench: what makes its repositories, and the peers that are Git's own."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

#: Repositories of other users may be measured; nothing in them is run.
_GIT = ("git", "-c", "safe.directory=*", "-c", "gc.auto=0")
_WHO = "Bench <bench@test.invalid>"


class GitFailedError(Exception):
    """A git command of the bench failed."""


def git(repository: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Run git in a repository and return what it says.

    Raises:
        GitFailedError: it ended with an error.
    """
    done = subprocess.run(
        [*_GIT, "-C", str(repository), *arguments], input=given, capture_output=True, check=False
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise GitFailedError(f"git {arguments[0]}: {said[-300:]}")
    return done.stdout


def timed_git(repository: Path, *arguments: str, given: Path | None = None) -> float:
    """Return the seconds a git command takes, its output going nowhere.

    Args:
        repository: where it runs.
        arguments: what follows ``git``.
        given: a file for its standard input.

    Raises:
        GitFailedError: it ended with an error.
    """
    argv = [*_GIT, "-C", str(repository), *arguments]
    began = time.perf_counter()
    with (given or Path(os.devnull)).open("rb") as source:
        done = subprocess.run(argv, stdin=source, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise GitFailedError(f"git {arguments[0]} ended with {done.returncode}")
    return time.perf_counter() - began


def read_blobs(repository: Path, oids: Sequence[str]) -> Iterator[bytes]:
    """Yield the content of blobs, in order; all of them must be there."""
    argv = [*_GIT, "-C", str(repository), "cat-file", "--batch"]
    for start in range(0, len(oids), 1_000):
        wanted = "".join(f"{oid}\n" for oid in oids[start : start + 1_000])
        output = subprocess.run(argv, input=wanted.encode(), capture_output=True, check=True).stdout
        at = 0
        while at < len(output):
            header, _, _ = output[at : at + 200].partition(b"\n")
            size = int(header.split()[2])
            at += len(header) + 1
            yield output[at : at + size]
            at += size + 1


def commit_stream(
    number: int,
    when_s: int,
    texts: Mapping[bytes, bytes],
    *,
    blobs: Mapping[bytes, str] | None = None,
    parent: str = "",
) -> bytes:
    """Write one commit of ``refs/heads/main`` in the language of git-fast-import.

    Args:
        number: told in the message.
        when_s: of author and committer, seconds since the epoch, so that equal input gives equal
            commits.
        texts: path to new content.
        blobs: path to a blob that the repository has.
        parent: a commit, needed for the first of a stream that continues a branch.
    """
    message = f"Change {number}".encode()
    parts = [
        b"commit refs/heads/main\n",
        f"committer {_WHO} {when_s} +0000\ndata {len(message)}\n".encode() + message + b"\n",
        f"from {parent}\n".encode() if parent else b"",
    ]
    for path, oid in (blobs or {}).items():
        parts.append(f"M 100644 {oid} ".encode() + _quoted(path) + b"\n")
    for path, text in texts.items():
        parts.append(b"M 100644 inline " + _quoted(path) + b"\n")
        parts.append(f"data {len(text)}\n".encode() + text + b"\n")
    return b"".join(parts)


def _quoted(path: bytes) -> bytes:
    """Quote a path as C does; fast-import takes any path so. Source: git-fast-import(1)."""
    plain = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + plain + b'"'
