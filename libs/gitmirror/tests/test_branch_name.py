import pytest

from brain.gitmirror.branch_name import BranchNameError, checked_branch


@pytest.mark.parametrize(
    "name", ["main", "release/1.2", "feature_x", "a@b", "développement", "kintsugi/out", "v1.0+2"]
)
def test_an_ordinary_branch_name_is_kept(name):
    assert checked_branch(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-x",
        "--upload-pack=x",
        "a b",
        "@",
        "@{-1}",
        "a@{1}",
        "HEAD",
        "refs/heads/main",
        "a..b",
        "a/.b",
        ".a",
        "a.",
        "a.lock",
        "a.lock/b",
        "a//b",
        "/a",
        "a/",
        "a:b",
        "a^",
        "a~1",
        "a*",
        "a?",
        "a[b",
        "a\\b",
        "a\nb",
        "a\x1b",
        "a\u202eb",
        "a\u200bb",
        "x" * 300,
        "é" * 200,
        "/".join(["x" * 90] * 3),
    ],
)
def test_a_name_that_git_could_read_as_something_else_is_refused(name):
    with pytest.raises(BranchNameError, match="not one Brain can follow"):
        checked_branch(name)
