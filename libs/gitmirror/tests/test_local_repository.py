import itertools
import os
import shutil
from pathlib import Path

import pytest

from brain.gitmirror.local_repository import (
    LocalRepositoryError,
    list_local_branches,
    locate,
    object_directories,
    peek_local,
)
from brain.gitmirror.tip import Tip


def test_the_branch_checked_out_is_the_default(source):
    commit = source.commit({b"a.md": b"x"})

    assert peek_local(source.path, None, None) == Tip("main", commit)


def test_a_git_directory_and_a_bare_repository_are_read_alike(source, make_source):
    bare = make_source("bare.git", bare=True)
    commit, other = source.commit({b"a.md": b"x"}), bare.commit({b"b.md": b"y"})

    assert peek_local(source.path / ".git", None, None) == Tip("main", commit)
    assert peek_local(bare.path, None, None) == Tip("main", other)


def test_packed_references_are_read_and_loose_ones_go_first(source):
    source.commit({b"a.md": b"x"})
    source.git("pack-refs", "--all")
    packed = peek_local(source.path, None, None)
    moved = source.commit({b"a.md": b"y"})

    assert packed.commit is not None
    assert peek_local(source.path, None, None) == Tip("main", moved)


def test_a_linked_worktree_has_its_own_head(source, tmp_path):
    source.commit({b"a.md": b"x"})
    source.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    commit = source.commit({b"a.md": b"y"}, branch="side")

    assert peek_local(tmp_path / "side", None, None) == Tip("side", commit)
    assert peek_local(tmp_path / "side", "main", None).commit != commit


def test_a_detached_head_is_the_tip_named_head(source):
    commit = source.commit({b"a.md": b"x"})
    (source.git_dir / "HEAD").write_text(commit + "\n")

    assert peek_local(source.path, None, None) == Tip("HEAD", commit)


def test_a_repository_without_commits_is_empty(source):
    assert peek_local(source.path, None, None) == Tip("main", None, "empty")
    assert peek_local(source.path, "main", None) == Tip("main", None, "empty")


def test_a_branch_that_is_not_there_is_gone(source):
    source.commit({b"a.md": b"x"})

    assert peek_local(source.path, "side", None) == Tip("side", None, "branch-gone")


def test_a_path_without_repository_says_so(tmp_path):
    (tmp_path / "file").write_text("x")

    assert peek_local(tmp_path, None, None).reason == "not-a-repository"
    assert peek_local(tmp_path / "file", None, None).reason == "not-a-repository"
    assert peek_local(tmp_path / "none", None, None).reason == "not-a-repository"


@pytest.mark.parametrize(
    ("line", "reason"),
    [("objectformat = sha256", "sha256"), ("refstorage = reftable", "unsupported")],
)
def test_storage_that_cannot_be_read_is_named(source, line, reason):
    source.commit({b"a.md": b"x"})
    with (source.git_dir / "config").open("a") as config:
        config.write(f"[extensions]\n\t{line}\n")

    assert peek_local(source.path, None, None).reason == reason


def test_a_repository_made_by_git_with_sha256_is_refused(tmp_path, git_in):
    git_in(tmp_path, "init", "--quiet", "--object-format=sha256", "big")

    assert peek_local(tmp_path / "big", None, None).reason == "sha256"


@pytest.mark.parametrize(
    "head", ["ref: ../../secret", "ref: refs/heads/../../secret", "ref: refs/heads/a b", "junk"]
)
def test_a_head_that_points_out_of_the_references_gives_no_tip(source, head):
    (source.git_dir.parent / "secret").write_text("1" * 40)
    (source.git_dir / "HEAD").write_text(head)

    assert peek_local(source.path, None, None).commit is None


def test_a_default_branch_that_cannot_be_followed_is_not_called_a_storage_format(source):
    (source.git_dir / "HEAD").write_text("ref: refs/heads/a&b\n")

    tip = peek_local(source.path, None, None)

    assert (tip.reason, tip.detail) == ("branch-name", "")


def test_references_that_go_in_circles_end(source):
    source.commit({b"a.md": b"x"})
    (source.git_dir / "refs/heads/main").write_text("ref: refs/heads/main\n")

    assert peek_local(source.path, None, None).commit is None


def test_a_symbolic_link_is_no_reference(source, tmp_path):
    (tmp_path / "secret").write_text("1" * 40)
    (source.git_dir / "refs/heads/main").symlink_to(tmp_path / "secret")

    assert peek_local(source.path, None, None).commit is None


def test_a_pipe_in_place_of_a_file_does_not_block(source):
    (source.git_dir / "HEAD").unlink()
    os.mkfifo(source.git_dir / "HEAD")

    assert peek_local(source.path, None, None).reason == "not-a-repository"


def test_a_path_outside_the_allowed_folders_is_refused(source, tmp_path):
    source.commit({b"a.md": b"x"})

    assert peek_local(source.path, None, (tmp_path / "else",)).reason == "not-allowed"
    assert peek_local(source.path, None, (tmp_path,)).commit is not None


def test_a_link_or_pointer_out_of_the_allowed_folders_is_refused(source, tmp_path):
    source.commit({b"a.md": b"x"})
    allowed = tmp_path / "allowed"
    (allowed / "work").mkdir(parents=True)
    (allowed / "work/.git").write_text(f"gitdir: {source.git_dir}\n")
    (allowed / "link").symlink_to(source.path)

    assert peek_local(allowed / "work", None, None).commit is not None
    assert peek_local(allowed / "work", None, (allowed,)).reason == "not-allowed"
    assert peek_local(allowed / "link", None, (allowed,)).reason == "not-allowed"


def test_alternates_outside_the_allowed_folders_are_left_out(source, make_source, tmp_path):
    source.commit({b"a.md": b"x"})
    allowed = make_source("allowed")
    (allowed.git_dir / "objects/info/alternates").write_text(f"{source.git_dir}/objects\n")

    assert len(object_directories(locate(allowed.path))) == 2
    assert len(object_directories(locate(allowed.path, (allowed.path,)))) == 1


def test_alternates_in_a_circle_are_each_listed_once(source, make_source):
    other = make_source("other")
    (source.git_dir / "objects/info/alternates").write_text(f"{other.git_dir}/objects\n")
    (other.git_dir / "objects/info/alternates").write_text(f"{source.git_dir}/objects\n")

    assert object_directories(locate(source.path)) == [
        source.git_dir / "objects",
        other.git_dir / "objects",
    ]


def test_branches_are_listed_from_both_stores(source):
    source.commit({b"a.md": b"x"}, branch="packed/one")
    source.git("pack-refs", "--all")
    source.commit({b"a.md": b"x"}, branch="loose")

    assert list_local_branches(source.path, None) == ["loose", "packed/one"]


def test_a_commondir_that_leads_nowhere_is_no_repository(source):
    source.commit({b"a.md": b"x"})
    (source.git_dir / "commondir").write_text("../nowhere\n")

    with pytest.raises(LocalRepositoryError, match="not-a-repository"):
        locate(source.path)


def test_objects_outside_the_allowed_folders_are_refused(source, make_source, tmp_path):
    source.commit({b"a.md": b"x"})
    allowed = make_source("allowed")
    allowed.commit({b"a.md": b"x"})
    shutil.rmtree(allowed.git_dir / "objects")
    (allowed.git_dir / "objects").symlink_to(source.git_dir / "objects")

    assert peek_local(allowed.path, None, (allowed.path,)).reason == "not-allowed"


def test_a_git_directory_outside_the_allowed_folders_is_refused(source, make_source):
    source.commit({b"a.md": b"x"})
    allowed = make_source("allowed")
    shutil.rmtree(source.git_dir / "objects")
    (source.git_dir / "objects").symlink_to(allowed.git_dir / "objects")
    (allowed.path / "work").mkdir()
    (allowed.path / "work/.git").write_text(f"gitdir: {source.git_dir}\n")

    assert peek_local(allowed.path / "work", None, (allowed.path,)).reason == "not-allowed"


def test_a_long_chain_of_alternates_ends_after_five(make_source):
    chain = [make_source(f"link{number}") for number in range(8)]
    for borrower, lender in itertools.pairwise(chain):
        (borrower.git_dir / "objects/info/alternates").write_text(f"{lender.git_dir}/objects\n")

    assert len(object_directories(locate(chain[0].path))) == 6


def test_many_alternates_end_after_64(source, tmp_path):
    for number in range(9):
        (tmp_path / f"a{number}/info").mkdir(parents=True)
        lines = [f"{tmp_path}/a{number}/{inner}" for inner in range(9)]
        (tmp_path / f"a{number}/info/alternates").write_text("\n".join(lines))
        for line in lines:
            Path(line).mkdir()
    lines = [f"{tmp_path}/a{number}" for number in range(9)]
    (source.git_dir / "objects/info/alternates").write_text("\n".join(lines))

    assert len(object_directories(locate(source.path))) == 65


def test_an_alternate_named_many_times_is_followed_once(source, make_source):
    other = make_source("other")
    for borrower, lender in ((source, other), (other, source)):
        line = f"{lender.git_dir}/objects\n"
        (borrower.git_dir / "objects/info/alternates").write_text(line * 60)

    assert len(object_directories(locate(source.path))) == 2
