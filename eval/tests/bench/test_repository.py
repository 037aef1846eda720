import pytest

from brain.evaluation.bench.git import GitFailedError, git
from brain.evaluation.bench.repository import borrow, init_bare, part_of
from brain.evaluation.bench.searches import write_checkout
from brain.evaluation.bench.synthetic import make_repository
from brain.testkit.repository import TestRepository


@pytest.fixture
def notes(tmp_path):
    repository = TestRepository(tmp_path / "notes.git")
    repository.commit(
        {
            "b.md": "# B\n",
            'a/"odd" name.MD': "# Odd\n",
            "restricted/pay.md": "# Pay\n",
            "notes.txt": "no Markdown",
        }
    )
    return repository


def test_only_indexed_documents_count_in_path_order(notes, tmp_path):
    whole = borrow(notes.path, tmp_path / "whole.git")

    assert [document.path for document in whole.documents] == [b'a/"odd" name.MD', b"b.md"]
    assert (whole.text_bytes, whole.commit_count()) == (10, 1)


def test_a_change_lengthens_documents_and_leaves_the_measured_repository_alone(notes, tmp_path):
    whole = borrow(notes.path, tmp_path / "whole.git")
    before = whole.tip

    after = [whole.change(2), whole.change(2)][-1]

    assert git(whole.path, "show", f"{after}:b.md") == (
        b"# B\n\n\nParagraph 1 of the bench.\n\n\nParagraph 2 of the bench.\n"
    )
    assert git(whole.path, "show", f"{after}:notes.txt") == b"no Markdown"
    assert git(notes.path, "rev-parse", "main").decode().strip() == before


def test_a_part_holds_some_documents_in_one_commit(notes, tmp_path):
    whole = borrow(notes.path, tmp_path / "whole.git")

    part = part_of(whole, tmp_path / "part.git", 1)

    assert git(part.path, "ls-tree", "-r", "--name-only", "-z", "main") == b'a/"odd" name.MD\0'
    assert part.commit_count() == 1


def test_a_checkout_with_a_cut_history_is_measured_too(notes, tmp_path):
    notes.commit({"b.md": "# B\n\nAgain.\n"})
    remote = f"file://{notes.path}"
    git(tmp_path, "clone", "--quiet", "--depth=1", remote, "checkout")

    whole = borrow(tmp_path / "checkout", tmp_path / "whole.git")

    assert (len(whole.documents), whole.commit_count()) == (1, 1)


def test_a_repository_without_commits_is_refused(tmp_path):
    init_bare(tmp_path / "empty.git")

    with pytest.raises(GitFailedError):
        borrow(tmp_path / "empty.git", tmp_path / "whole.git")


def test_the_checkout_is_the_documents(notes, tmp_path):
    write_checkout(borrow(notes.path, tmp_path / "whole.git"), tmp_path / "checkout")

    written = sorted(path for path in (tmp_path / "checkout").rglob("*") if path.is_file())
    assert [path.name for path in written] == ['"odd" name.MD', "b.md"]
    assert written[1].read_text() == "# B\n"


def test_the_made_repository_is_the_same_everywhere(tmp_path):
    make_repository(tmp_path / "made.git", 30, commits=5)

    whole = borrow(tmp_path / "made.git", tmp_path / "whole.git")
    assert (len(whole.documents), whole.commit_count()) == (30, 5)
    assert whole.tip == "024471e4dd8c6aa7ce474cf6fc54c9241db5890c"
