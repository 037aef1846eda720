"""Last changes of every path at once, against ``git log`` of each."""

import random

import pytest

from brain.gitmirror.fetch import fetch
from brain.gitmirror.last_change import changes_since, last_changes
from brain.gitmirror.remote import parse_remote
from brain.testkit.history import RandomHistory


def logged(source, tip: str) -> dict[bytes, str]:
    """Ask git for each document of a commit."""
    paths = source.git("ls-tree", "-r", "-z", "--name-only", tip).split("\0")
    return {
        path.encode(): source.git(
            "log", "-1", "--format=%H", tip, "--", f":(literal){path}"
        ).strip()
        for path in paths
        if path.lower().endswith(".md")
    }


def found(changes) -> dict[bytes, str]:
    return {path: change.commit for path, change in changes.items()}


@pytest.mark.parametrize("seed", range(3))
def test_every_path_of_a_random_history_has_the_commit_git_logs(tmp_path, mirror, git_in, seed):
    history = RandomHistory(tmp_path / "random.git", random.Random(seed))
    for _ in range(25):
        history.step()
    tip = history.line[-1][0]
    paths = [name.encode() for name in history.line[-1][1] if name.lower().endswith(".md")]
    fetch(mirror, parse_remote(str(history.path)), None)

    told = last_changes(mirror, tip, paths)

    expected = {
        path: git_in(
            history.path, "log", "-1", "--format=%H", tip, "--", f":(literal){path.decode()}"
        ).strip()
        for path in paths
    }
    assert found(told.changes) == expected
    assert told.unreached == set()


def merge(source, files: dict, *parents: str) -> str:
    return source.commit(files, parents=list(parents))


def test_a_merge_is_the_last_change_only_of_what_differs_from_every_parent(source, mirror):
    base = source.commit({b"a.md": b"1", b"b.md": b"1", b"c.md": b"1", b"d.md": b"1"})
    one = source.commit({b"a.md": b"2", b"b.md": b"1", b"c.md": b"1", b"d.md": b"1"})
    two = merge(source, {b"a.md": b"1", b"b.md": b"2", b"c.md": b"1", b"d.md": b"1"}, base)
    three = merge(source, {b"a.md": b"1", b"b.md": b"1", b"c.md": b"2", b"d.md": b"1"}, base)
    tip = merge(
        source, {b"a.md": b"2", b"b.md": b"2", b"c.md": b"2", b"d.md": b"3"}, one, two, three
    )
    fetch(mirror, parse_remote(str(source.path)), None)

    told = last_changes(mirror, tip, [b"a.md", b"b.md", b"c.md", b"d.md"])

    assert found(told.changes) == {b"a.md": one, b"b.md": two, b"c.md": three, b"d.md": tip}
    assert found(told.changes) == logged(source, tip)


def test_a_revert_moves_a_last_change_without_a_difference(source, mirror):
    before = source.commit({b"a.md": b"1", b"b.md": b"1"})
    source.commit({b"a.md": b"2", b"b.md": b"1"})
    tip = source.commit({b"a.md": b"1", b"b.md": b"1"})
    fetch(mirror, parse_remote(str(source.path)), None)

    assert found(changes_since(mirror, tip, before)) == {b"a.md": tip}


def test_a_range_with_a_parent_outside_it_does_not_tell(source, mirror):
    base = source.commit({b"a.md": b"1"})
    since = source.commit({b"a.md": b"2"})
    side = merge(source, {b"a.md": b"1", b"b.md": b"1"}, base)
    tip = merge(source, {b"a.md": b"2", b"b.md": b"1"}, since, side)
    fetch(mirror, parse_remote(str(source.path)), None)

    assert changes_since(mirror, tip, since) is None


def test_what_a_shallow_history_does_not_tell_is_unknown(source, mirror, tmp_path, git_in):
    for text in (b"1", b"2", b"3"):
        tip = source.commit({b"a.md": text, b"b.md": b"1"})
    git_in(tmp_path, "clone", "--quiet", "--depth=2", f"file://{source.path}", "shallow")
    fetch(mirror, parse_remote(str(tmp_path / "shallow")), None)

    told = last_changes(mirror, tip, [b"a.md", b"b.md"])

    assert found(told.changes) == {b"a.md": tip}
