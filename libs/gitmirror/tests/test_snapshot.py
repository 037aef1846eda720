import threading

import pygit2
import pytest

from brain.gitmirror.fetch import fetch
from brain.gitmirror.libgit2 import MirrorCorruptError, MirrorMissingError, ObjectMissingError
from brain.gitmirror.remote import LocalRemote
from brain.gitmirror.snapshot import Snapshot, open_snapshot


def snapshot_of(source, files):
    return Snapshot(source.store, source.commit(files))


def test_a_file_is_read_at_its_path(source):
    snapshot = snapshot_of(source, {b"a": {b"b.md": b"# B\n"}})

    assert snapshot.read(b"a/b.md") == b"# B\n"
    assert snapshot.find_entry(b"a/b.md").mode == 0o100644
    assert snapshot.find_entry(b"a").is_folder


@pytest.mark.parametrize(
    "path", [b"", b"/a/b.md", b"a/../a/b.md", b"a//b.md", b"a", b"a/b.md/c", b"none.md", b"a/" * 99]
)
def test_a_path_that_names_no_file_is_missing(source, path):
    snapshot = snapshot_of(source, {b"a": {b"b.md": b"# B\n"}})

    with pytest.raises(ObjectMissingError):
        snapshot.read(path)


def test_a_symbolic_link_is_not_read(source):
    tree = source.tree([(0o120000, b"a.md", source.blob(b"/etc/passwd"))])
    snapshot = Snapshot(source.store, source.commit_tree(tree))

    with pytest.raises(ObjectMissingError):
        snapshot.read(b"a.md")


def test_a_tree_is_not_read_as_a_blob(source):
    snapshot = snapshot_of(source, {b"a": {b"b.md": b"x"}})

    with pytest.raises(ObjectMissingError):
        snapshot.read_blob(snapshot.tree)


def test_a_missing_blob_has_no_size_and_a_typed_error(source):
    commit = source.commit({b"a.md": b"gone", b"b.md": b"here"})
    oid = str(pygit2.hash(b"gone"))
    source.object_file(oid).unlink()
    snapshot = Snapshot(source.store, commit)

    assert [(e.path, e.size) for e in snapshot.markdown_entries()] == [
        (b"a.md", None),
        (b"b.md", 4),
    ]
    with pytest.raises(ObjectMissingError):
        snapshot.read_blob(oid)


def test_an_object_whose_content_is_another_is_corrupt(source):
    commit = source.commit({b"a.md": b"one", b"b.md": b"two"})
    one, two = (str(pygit2.hash(text)) for text in (b"one", b"two"))
    source.object_file(one).chmod(0o644)
    source.object_file(one).write_bytes(source.object_file(two).read_bytes())
    snapshot = Snapshot(source.store, commit)

    with pytest.raises(MirrorCorruptError):
        snapshot.read_blob(one)


def test_a_truncated_object_is_corrupt(source):
    commit = source.commit({b"a.md": b"one" * 1000})
    oid = str(pygit2.hash(b"one" * 1000))
    source.object_file(oid).chmod(0o644)
    source.object_file(oid).write_bytes(source.object_file(oid).read_bytes()[:-9])
    snapshot = Snapshot(source.store, commit)

    with pytest.raises(MirrorCorruptError):
        snapshot.read(b"a.md")


def test_without_a_mirror_there_is_no_snapshot(tmp_path):
    with pytest.raises(MirrorMissingError):
        open_snapshot(tmp_path, 7, "1" * 40)


@pytest.mark.parametrize("commit", ["1" * 40, "1" * 7, "HEAD", "", "refs/brain/tip"])
def test_a_commit_the_mirror_lacks_is_missing(source, mirror, commit):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    with pytest.raises(ObjectMissingError):
        open_snapshot(mirror.root, 7, commit)


def test_threads_read_through_snapshots_of_their_own(source, mirror):
    files = {b"%d.md" % number: b"text %d" % number for number in range(200)}
    commit = source.commit(files)
    fetch(mirror, LocalRemote(source.path), None)
    results = []

    def read_all():
        snapshot = open_snapshot(mirror.root, 7, commit)
        results.append({e.path: snapshot.read_blob(e.oid) for e in snapshot.markdown_entries()})

    threads = [threading.Thread(target=read_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [files] * 4


@pytest.mark.parametrize("name", [b"..", b".git", b""])
def test_a_name_that_the_walk_refuses_is_not_found_either(source, name):
    inner = source.tree([(0o100644, b"a.md", source.blob(b"x"))])
    commit = source.commit_tree(source.tree([(0o40000, name, inner)]))

    assert Snapshot(source.store, commit).find_entry(name + b"/a.md") is None
