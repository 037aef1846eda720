import pygit2
import pytest

from brain.gitmirror.libgit2 import MirrorCorruptError
from brain.gitmirror.snapshot import Snapshot
from brain.gitmirror.tree_walk import TreeTooLargeError, parse_tree, walk_markdown

MD, FOLDER = 0o100644, 0o40000


def walk(source, tree):
    snapshot = Snapshot(source.store, source.commit_tree(tree))
    return [(entry.path, entry.kind) for entry in snapshot.markdown_entries()]


def test_markdown_in_any_case_is_found_in_tree_order(source):
    tree = source.tree_of(
        {b"b": {b"x.MD": b"", b"y.txt": b""}, b"a.md": b"", b".hidden": {b"z.Md": b""}, b"md": b""}
    )

    assert walk(source, tree) == [
        (b".hidden/z.Md", "file"),
        (b"a.md", "file"),
        (b"b/x.MD", "file"),
    ]


def test_an_executable_document_is_a_file(source):
    assert walk(source, source.tree([(0o100755, b"a.md", source.blob(b"x"))])) == [
        (b"a.md", "file")
    ]


def test_a_folder_with_the_name_of_a_document_is_walked(source):
    inner = source.tree([(MD, b"a.md", source.blob(b"x"))])

    assert walk(source, source.tree([(FOLDER, b"d.md", inner)])) == [(b"d.md/a.md", "file")]


def test_links_and_submodules_are_told_by_their_mode(source):
    blob = source.blob(b"/etc/passwd")
    tree = source.tree(
        [(0o120000, b"link.md", blob), (0o160000, b"sub.md", "1" * 40), (0o010000, b"z.md", blob)]
    )
    snapshot = Snapshot(source.store, source.commit_tree(tree))

    assert [(e.path, e.mode, e.kind, e.size) for e in snapshot.markdown_entries()] == [
        (b"link.md", 0o120000, "symlink", None),
        (b"sub.md", 0o160000, "submodule", None),
        (b"z.md", 0o010000, "submodule", None),
    ]


@pytest.mark.parametrize(
    "name",
    [b"", b".", b"..", b"a/b", b".git", b".GIT", b".git ", b".git.", b"git~1", b".g\xe2\x80\x8cit"],
)
def test_a_folder_no_checkout_could_hold_is_one_refused_entry(source, name):
    inner = source.tree([(MD, b"a.md", source.blob(b"x"))])
    tree = source.tree([(FOLDER, name, inner), (MD, b"ok.md", source.blob(b"x"))])

    assert walk(source, tree) == [(name, "refused-name"), (b"ok.md", "file")]


def test_a_document_with_a_slash_in_its_name_is_refused(source):
    tree = source.tree([(MD, b"../up.md", source.blob(b"x"))])

    assert walk(source, tree) == [(b"../up.md", "refused-name")]


def test_names_of_any_bytes_come_through_as_they_are(source):
    names = [b"a\nb.md", b"\x1b[31m.md", b"\\..\\x.md", b"\xff\xfe.md"]
    blob = source.blob(b"x")

    assert walk(source, source.tree([(MD, name, blob) for name in names])) == [
        (name, "file") for name in names
    ]


def test_the_second_entry_of_a_name_is_a_duplicate(source):
    blob = source.blob(b"x")
    inner = source.tree([(MD, b"in.md", blob)])
    tree = source.tree([(MD, b"a.md", blob), (MD, b"a.md", blob), (FOLDER, b"a.md", inner)])

    assert walk(source, tree) == [(b"a.md", "file"), (b"a.md", "duplicate"), (b"a.md", "duplicate")]


def test_names_that_differ_in_case_or_form_are_distinct(source):
    blob = source.blob(b"x")
    names = [b"A.md", b"a.md", "e\u0301.md".encode(), "\u00e9.md".encode()]

    assert [kind for _, kind in walk(source, source.tree([(MD, n, blob) for n in names]))] == [
        "file",
        "file",
        "file",
        "file",
    ]


def test_64_folders_deep_is_read_and_deeper_is_one_entry(source):
    tree = source.tree([(MD, b"leaf.md", source.blob(b"x"))])
    for _ in range(64):
        tree = source.tree([(FOLDER, b"d", tree)])

    assert walk(source, tree) == [(b"d/" * 64 + b"leaf.md", "file")]
    assert walk(source, source.tree([(FOLDER, b"d", tree)])) == [
        (b"/".join([b"d"] * 65), "too-deep")
    ]


def test_20000_folders_inside_each_other_end_at_the_limit(source):
    # Writing 20,000 loose objects to disk for certain would take the test half a minute.
    pygit2.settings.enable_fsync_gitdir(value=False)
    tree = source.tree([])
    for _ in range(20_000):
        tree = source.tree([(FOLDER, b"d", tree)])

    pygit2.settings.enable_fsync_gitdir(value=True)

    assert [kind for _, kind in walk(source, tree)] == ["too-deep"]


def test_a_tree_that_holds_itself_many_times_over_is_stopped(monkeypatch):
    monkeypatch.setattr("brain.gitmirror.tree_walk.MAX_ENTRIES", 1000)
    raw = b"".join(b"40000 %d\0" % number + b"\x11" * 20 for number in range(10))

    with pytest.raises(TreeTooLargeError):
        list(walk_markdown("1" * 40, lambda _: raw))


@pytest.mark.parametrize(
    "raw",
    [
        b"x",
        b"100644 a",
        b"100644 a\0short",
        b"99 a\0" + b"1" * 20,
        b"10 a\0" + b"1" * 20 + b"junk10 b\0" + b"1" * 20,
    ],
)
def test_bytes_that_are_no_tree_are_corrupt(raw):
    with pytest.raises(MirrorCorruptError):
        parse_tree(raw)
