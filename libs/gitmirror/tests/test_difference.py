"""Differences of two commits, against what was put into them."""

import pytest

from brain.gitmirror.difference import Hunk, difference, hunks
from brain.gitmirror.fetch import fetch
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.remote import parse_remote
from brain.testkit.repository import TestRepository

LINES = "one\ntwo\nthree\nfour\nfive\n"


@pytest.fixture
def compare(tmp_path):
    """Commit two sets of files and give the mirror with both commits."""

    def committed(*versions):
        repository = TestRepository(tmp_path / "source.git")
        commits = [repository.commit(files) for files in versions]
        mirror = Mirror(tmp_path / "mirrors", 1)
        fetch(mirror, parse_remote(str(repository.path)), None)
        return mirror, *commits

    return committed


def test_files_that_changed_alike_each_have_their_lines_once(compare):
    changed = LINES.replace("two", "2")
    mirror, old, new = compare(
        {"a.md": LINES, "b.md": LINES, "c.md": LINES},
        {"a.md": changed, "b.md": changed, "moved/c.md": changed},
    )

    changes = difference(mirror, old, new).changes

    assert [(each.status, each.path) for each in changes] == [
        ("modified", b"a.md"),
        ("modified", b"b.md"),
        ("renamed", b"moved/c.md"),
    ]
    assert list(hunks(mirror, old, new, changes).values()) == [[Hunk(2, 1, 2, 1)]]
