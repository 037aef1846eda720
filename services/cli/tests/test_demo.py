from pathlib import Path

import pytest

from brain.cli.commands.demo import DemoError, example_folder, is_plain_folder, subject_of
from brain.testkit.repository import TestRepository


def test_the_example_is_found_from_anywhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    assert (example_folder() / "README.md").read_text().startswith("# Mavidip handbook")


def test_a_folder_inside_a_repository_is_a_plain_folder(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes").mkdir()

    assert not is_plain_folder(str(tmp_path))
    assert is_plain_folder(str(tmp_path / "notes"))


def test_a_bare_repository_is_no_plain_folder(tmp_path):
    repository = TestRepository(tmp_path / "notes.git")

    assert not is_plain_folder(str(repository.path))


def test_a_path_becomes_absolute_and_an_address_stays(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("notes").mkdir()

    assert subject_of("notes") == str(tmp_path / "notes")
    assert subject_of("git@example.org:notes.git") == "git@example.org:notes.git"
    assert subject_of("https://example.org/notes") == "https://example.org/notes"


def test_a_path_where_nothing_is_is_refused_before_anything_starts():
    with pytest.raises(DemoError, match="There is no repository or folder at no/where"):
        subject_of("no/where")
