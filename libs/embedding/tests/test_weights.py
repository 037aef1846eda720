import hashlib

import pytest

from brain.embedding.embedder import EmbeddingError
from brain.embedding.weights import Pinned, pull

CONTENT = b"weights " * 1_000
FILES = {"model.bin": Pinned(hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))}


def test_a_file_is_fetched_once(served, tmp_path):
    folder, url = served
    (folder / "model.bin").write_bytes(CONTENT)
    told = []

    first = pull(FILES, url, tmp_path / "models", lambda *how: told.append(how))
    second = pull(FILES, url, tmp_path / "models", lambda *how: told.append(how))

    assert (first, second) == (["model.bin"], [])
    assert told == [("model.bin", 8_000, 8_000)]
    assert (tmp_path / "models/model.bin").read_bytes() == CONTENT


@pytest.mark.parametrize("content", [b"other", CONTENT[:-1] + b"!", CONTENT + b"more"])
def test_another_file_is_refused_and_leaves_nothing(served, tmp_path, content):
    folder, url = served
    (folder / "model.bin").write_bytes(content)

    with pytest.raises(EmbeddingError, match="checksum"):
        pull(FILES, url, tmp_path / "models", lambda *_: None)

    assert list((tmp_path / "models").iterdir()) == []


def test_an_address_that_has_no_such_file_is_an_error(served, tmp_path):
    with pytest.raises(EmbeddingError, match="404"):
        pull(FILES, served[1], tmp_path / "models", lambda *_: None)


def test_only_http_is_fetched(tmp_path):
    with pytest.raises(EmbeddingError, match="http"):
        pull(FILES, tmp_path.as_uri(), tmp_path / "models", lambda *_: None)
