"""Differences of two commits, against what was put into them."""

import pytest

from brain.gitmirror.difference import difference, line_counts
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
    assert line_counts(mirror, old, new, changes) == {
        b"a.md": (1, 1),
        b"b.md": (1, 1),
        b"moved/c.md": (1, 1),
    }


def test_lines_are_counted_as_git_counts_them(compare):
    before = "a\n\nb\n\nx\n\nc\n"
    after = "a\n\nb\n\nc\n\nx\n\nc\n"
    mirror, old, new = compare({"a.md": before}, {"a.md": after})

    changes = difference(mirror, old, new).changes

    assert line_counts(mirror, old, new, changes) == {b"a.md": (2, 0)}


def test_a_file_with_a_nul_has_lines_and_a_name_may_hold_anything(compare):
    name = "dir/a\tb [x]*.md"
    mirror, old, new = compare({name: "a\0\nb\n"}, {name: "a\0\nc\nd\n"})

    changes = difference(mirror, old, new).changes

    assert line_counts(mirror, old, new, changes) == {name.encode(): (2, 1)}


def test_renames_that_were_not_looked_for_are_told(compare, monkeypatch):
    before = {f"{n}.md": f"{n}\n{LINES}" for n in range(3)}
    after = {f"moved/{n}.md": f"{n} and more\n{LINES}" for n in range(3)}
    mirror, old, new = compare(before, after)

    complete = difference(mirror, old, new)
    monkeypatch.setattr("brain.gitmirror.difference.RENAME_LIMIT", 1)
    partial = difference(mirror, old, new)

    assert complete.renames_complete
    assert {each.status for each in complete.changes} == {"renamed"}
    assert not partial.renames_complete
    assert {each.status for each in partial.changes} == {"added", "deleted"}
