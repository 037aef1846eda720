import pytest
from pygit2.enums import ObjectType

from brain.gitmirror.ancestry import (
    CommitAmbiguousError,
    CommitMalformedError,
    CommitUnknownError,
    is_ancestor,
    resolve_commit,
)
from brain.gitmirror.fetch import fetch
from brain.gitmirror.libgit2 import MirrorMissingError
from brain.gitmirror.remote import LocalRemote


def test_a_commit_descends_from_itself_and_its_parents(source, mirror):
    old = source.commit({b"a.md": b"old"})
    new = source.commit({b"a.md": b"new"})
    fetch(mirror, LocalRemote(source.path), None)

    assert is_ancestor(mirror, old, new)
    assert is_ancestor(mirror, new, new)
    assert not is_ancestor(mirror, new, old)
    assert not is_ancestor(mirror, "1" * 40, new)
    assert not is_ancestor(mirror, "HEAD", new)


def test_a_prefix_of_either_case_stands_for_its_commit(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    assert resolve_commit(mirror, commit[:7]) == commit
    assert resolve_commit(mirror, commit.upper()) == commit


@pytest.mark.parametrize(
    "text",
    ["", "abc", "HEAD", "main", "@{-1}", ":/change", "HEAD^{/x}", "g" * 40, "1" * 65, "-1" * 5],
)
def test_only_hex_digits_are_a_commit(source, mirror, text):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    with pytest.raises(CommitMalformedError):
        resolve_commit(mirror, text)


def test_a_blob_or_nothing_is_an_unknown_commit(source, mirror):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    for digits in (source.blob(b"x"), "1" * 40, "1" * 64, "1234567"):
        with pytest.raises(CommitUnknownError):
            resolve_commit(mirror, digits)


def test_an_annotated_tag_is_no_commit(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    text = f"object {commit}\ntype commit\ntag v1\ntagger A <a@example.org> 1 +0000\n\nx\n"
    tag = str(source.repository.odb.write(ObjectType.TAG, text.encode()))
    fetch(mirror, LocalRemote(source.path), None)

    with pytest.raises(CommitUnknownError):
        resolve_commit(mirror, tag)


def test_a_commit_of_another_branch_is_unknown_although_its_objects_came_along(source, mirror):
    secret = source.commit({b"secret.md": b"x"}, branch="secret")
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), "main")

    with pytest.raises(CommitUnknownError):
        resolve_commit(mirror, secret)


def test_a_replaced_tip_and_its_parents_stay_known(source, mirror):
    old = source.commit({b"a.md": b"old"})
    source.commit({b"a.md": b"older"})
    fetch(mirror, LocalRemote(source.path), None)
    source.commit({b"a.md": b"new"}, parents=[])
    fetch(mirror, LocalRemote(source.path), None)

    assert resolve_commit(mirror, old) == old


# Two parentless commits of the empty tree whose ids share their first seven digits.
TWIN_SECONDS = (1_700_009_740, 1_700_024_511)


def twins(source):
    for seconds in TWIN_SECONDS:
        source.clock = seconds - 60
        yield source.commit({}, parents=[])


def test_digits_that_two_commits_share_are_ambiguous(source, mirror):
    commits = []
    for twin in twins(source):
        commits.append(twin)
        fetch(mirror, LocalRemote(source.path), None)

    with pytest.raises(CommitAmbiguousError):
        resolve_commit(mirror, commits[0][:7])
    assert [resolve_commit(mirror, commit[:12]) for commit in commits] == commits


def test_digits_shared_with_a_commit_out_of_reach_are_not_ambiguous(source, mirror):
    _, reached = twins(source)
    fetch(mirror, LocalRemote(source.path), None)

    assert resolve_commit(mirror, reached[:7]) == reached


def test_without_a_mirror_there_is_no_commit(mirror):
    with pytest.raises(MirrorMissingError):
        resolve_commit(mirror, "1" * 40)
    with pytest.raises(MirrorMissingError):
        is_ancestor(mirror, "1" * 40, "2" * 40)
