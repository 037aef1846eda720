import os

import pytest

from brain.gitmirror.fetch import fetch
from brain.gitmirror.folder import FolderError, commit_folder
from brain.gitmirror.object_store import ObjectStore
from brain.gitmirror.remote import LocalRemote
from brain.gitmirror.snapshot import Snapshot


@pytest.fixture
def notes(tmp_path):
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


@pytest.fixture
def repository(tmp_path):
    return tmp_path / "private.git"


def snapshot(repository, commit):
    return Snapshot(ObjectStore(repository / "objects"), commit)


def paths(repository, commit):
    return [entry.path for entry in snapshot(repository, commit).markdown_entries()]


def test_markdown_becomes_a_commit_and_nothing_else_does(notes, repository):
    (notes / "b").mkdir()
    (notes / "b/deep.MD").write_text("deep")
    (notes / "b.md").write_text("beside")
    (notes / "image.png").write_text("no")
    (notes / "empty").mkdir()

    commit = commit_folder(notes, repository)

    assert paths(repository, commit) == [b"b.md", b"b/deep.MD"]
    assert snapshot(repository, commit).read(b"b/deep.MD") == b"deep"
    assert snapshot(repository, commit).find_entry(b"image.png") is None
    assert snapshot(repository, commit).find_entry(b"empty") is None


def test_git_finds_no_fault_with_the_commit(notes, repository, git_in):
    (notes / "a").mkdir()
    for name in ("a/x.md", "a.md", "a-b.md", "a0.md"):
        (notes / name).write_text(name)

    commit = commit_folder(notes, repository)

    assert git_in(repository, "fsck", "--strict") == ""
    assert git_in(repository, "rev-parse", "HEAD") == commit + "\n"


def test_an_unchanged_folder_makes_no_commit(notes, repository):
    (notes / "a.md").write_text("x")
    first = commit_folder(notes, repository)
    os.utime(notes / "a.md", (1, 1))
    (notes / "b.txt").write_text("x")

    assert commit_folder(notes, repository) == first


def test_a_changed_folder_makes_a_child_commit(notes, repository, git_in):
    (notes / "a.md").write_text("x")
    first = commit_folder(notes, repository)
    (notes / "a.md").write_text("y")
    second = commit_folder(notes, repository)

    assert git_in(repository, "log", "--format=%H").split() == [second, first]


def test_of_links_the_name_is_kept_and_hidden_folders_and_pipes_are_left_out(
    notes, repository, tmp_path
):
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.md").write_text("secret")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")
    (notes / "folder").symlink_to(tmp_path / "outside")
    (notes / ".obsidian").mkdir()
    (notes / ".obsidian/a.md").write_text("hidden")
    os.mkfifo(notes / "pipe.md")
    (notes / "a.md").write_text("x")

    found = snapshot(repository, commit_folder(notes, repository)).markdown_entries()

    assert [(entry.path, entry.mode, entry.size) for entry in found] == [
        (b"a.md", 0o100644, 1),
        (b"link.md", 0o120000, None),
    ]


def test_the_configuration_comes_along(notes, repository):
    (notes / ".brain").mkdir()
    (notes / ".brain/config.yaml").write_text("dialect: github\n")
    (notes / ".brain/other.md").write_text("hidden")

    commit = commit_folder(notes, repository)

    assert snapshot(repository, commit).read(b".brain/config.yaml") == b"dialect: github\n"
    assert paths(repository, commit) == []


def test_a_configuration_behind_a_link_does_not(notes, repository, tmp_path):
    (tmp_path / "config.yaml").write_text("x")
    (notes / ".brain").symlink_to(tmp_path)

    commit = commit_folder(notes, repository)

    assert snapshot(repository, commit).find_entry(b".brain") is None


def test_the_repository_may_lie_in_the_folder(notes):
    (notes / "a.md").write_text("x")
    first = commit_folder(notes, notes / "private.git")

    assert commit_folder(notes, notes / "private.git") == first


def test_names_that_are_not_utf8_are_kept_as_bytes(notes, repository):
    (notes / os.fsdecode(b"\xff.md")).write_text("x")

    assert paths(repository, commit_folder(notes, repository)) == [b"\xff.md"]


def test_the_private_repository_can_be_mirrored(notes, repository, mirror):
    (notes / "a.md").write_text("x")
    commit = commit_folder(notes, repository)

    assert fetch(mirror, LocalRemote(repository), None).commit == commit


def test_a_folder_that_is_not_there_is_a_typed_error(tmp_path, repository):
    with pytest.raises(FolderError):
        commit_folder(tmp_path / "none", repository)
