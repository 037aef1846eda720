import pytest

from brain.gitmirror.fetch import fetch
from brain.gitmirror.libgit2 import MirrorMissingError, ObjectMissingError
from brain.gitmirror.pins import forget_replaced, pin, pinned, replaced_tips, unpin
from brain.gitmirror.remote import LocalRemote
from brain.gitmirror.snapshot import open_snapshot


def test_a_pinned_commit_is_listed_until_it_is_let_go(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    pin(mirror, commit)
    pin(mirror, commit)
    assert pinned(mirror) == [commit]

    unpin(mirror, commit)
    unpin(mirror, commit)
    assert pinned(mirror) == []


@pytest.mark.parametrize("commit", ["1" * 40, "HEAD", "../../x", ""])
def test_only_a_commit_of_the_mirror_can_be_pinned(source, mirror, commit):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    with pytest.raises(ObjectMissingError):
        pin(mirror, commit)


def test_without_a_mirror_nothing_can_be_pinned(mirror):
    with pytest.raises(MirrorMissingError):
        pin(mirror, "1" * 40)


def test_pins_and_replaced_tips_outlive_a_repack_and_a_prune(source, mirror, git_in):
    first = source.commit({b"a.md": b"first"})
    fetch(mirror, LocalRemote(source.path), None)
    pin(mirror, first)
    second = source.commit({b"a.md": b"second"}, parents=[])
    fetch(mirror, LocalRemote(source.path), None)
    third = source.commit({b"a.md": b"third"}, parents=[])
    fetch(mirror, LocalRemote(source.path), None)

    git_in(mirror.path, "repack", "-adq")
    git_in(mirror.path, "prune", "--expire=now")

    for commit, text in ((first, b"first"), (second, b"second"), (third, b"third")):
        assert open_snapshot(mirror.root, 7, commit).read(b"a.md") == text


def test_a_replaced_tip_is_forgotten_by_its_age(source, mirror):
    old = source.commit({b"a.md": b"old"})
    fetch(mirror, LocalRemote(source.path), None)
    source.commit({b"a.md": b"new"}, parents=[])
    fetch(mirror, LocalRemote(source.path), None)
    at = replaced_tips(mirror)[0].at

    assert forget_replaced(mirror, before=at) == []
    assert forget_replaced(mirror, before=at + 1) == [old]
    assert replaced_tips(mirror) == []
