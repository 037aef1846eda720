import shutil
import subprocess
import sys

import pytest

from brain.gitmirror.branch_name import BranchNameError
from brain.gitmirror.fetch import branches, fetch, make_again, peek
from brain.gitmirror.mirror import remove
from brain.gitmirror.mirror_lock import MirrorBusyError, locked
from brain.gitmirror.pins import pin, pinned, replaced_tips
from brain.gitmirror.remote import LocalRemote
from brain.gitmirror.remote_access import Deadlines, RemoteAccess
from brain.gitmirror.snapshot import open_snapshot
from brain.gitmirror.tip import Tip


def read(mirror, commit, path):
    return open_snapshot(mirror.root, mirror.source_id, commit).read(path)


def test_a_first_fetch_makes_a_bare_mirror(source, mirror):
    commit = source.commit({b"a.md": b"x"})

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", commit)
    assert read(mirror, commit, b"a.md") == b"x"
    assert "auto = 0" in (mirror.path / "config").read_text()
    assert sorted(p.name for p in mirror.root.iterdir()) == ["7.git", "7.lock"]


def test_the_mirror_is_a_repository_git_can_read(source, mirror, git_in):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    assert git_in(mirror.path, "log", "--format=%s") == "change\n"
    assert git_in(mirror.path, "fsck", "--no-dangling") == ""


def test_a_fetch_follows_the_branch(source, mirror):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)
    moved = source.commit({b"a.md": b"y"})

    assert fetch(mirror, LocalRemote(source.path), "main") == Tip("main", moved)
    assert read(mirror, moved, b"a.md") == b"y"


def test_packed_objects_come_along(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    source.git("repack", "-adq")
    fetch(mirror, LocalRemote(source.path), None)

    assert read(mirror, commit, b"a.md") == b"x"


def test_a_peek_copies_nothing(source, mirror):
    commit = source.commit({b"a.md": b"x"})

    assert peek(LocalRemote(source.path), None) == Tip("main", commit)
    assert not mirror.root.exists()


def test_objects_survive_a_collection_at_the_source(source, mirror):
    commit = source.commit({b"a.md": b"old"})
    fetch(mirror, LocalRemote(source.path), None)
    source.commit({b"a.md": b"new"}, parents=[])
    source.git("reflog", "expire", "--expire=now", "--all")
    source.git("gc", "--quiet", "--prune=now")

    assert not source.object_file(commit).exists()
    assert read(mirror, commit, b"a.md") == b"old"


def test_objects_survive_the_removal_of_the_source(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)
    shutil.rmtree(source.path)

    assert read(mirror, commit, b"a.md") == b"x"
    assert fetch(mirror, LocalRemote(source.path), None).reason == "not-a-repository"


def test_a_mirror_of_a_borrowing_repository_borrows_nothing(source, mirror, tmp_path, git_in):
    commit = source.commit({b"a.md": b"x"})
    git_in(tmp_path, "clone", "--quiet", "--shared", str(source.path), "borrower")
    fetch(mirror, LocalRemote(tmp_path / "borrower"), None)
    shutil.rmtree(source.path)

    assert read(mirror, commit, b"a.md") == b"x"
    assert not (mirror.path / "objects/info/alternates").exists()


def test_a_force_push_keeps_the_replaced_tip(source, mirror):
    old = source.commit({b"a.md": b"old"})
    fetch(mirror, LocalRemote(source.path), None)
    new = source.commit({b"a.md": b"new"}, parents=[])

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", new)
    assert [tip.commit for tip in replaced_tips(mirror)] == [old]


def test_an_ordinary_push_keeps_no_replaced_tip(source, mirror):
    source.commit({b"a.md": b"old"})
    fetch(mirror, LocalRemote(source.path), None)
    source.commit({b"a.md": b"new"})
    fetch(mirror, LocalRemote(source.path), None)

    assert replaced_tips(mirror) == []


def test_a_repository_made_again_at_the_same_path_is_a_force_push(source, make_source, mirror):
    old = source.commit({b"a.md": b"old"})
    fetch(mirror, LocalRemote(source.path), None)
    shutil.rmtree(source.path)
    new = make_source().commit({b"b.md": b"new"})

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", new)
    assert [tip.commit for tip in replaced_tips(mirror)] == [old]


def test_a_renamed_default_branch_is_followed(source, mirror):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)
    source.git("branch", "--move", "main", "trunk")
    commit = source.commit({b"a.md": b"y"}, branch="trunk")

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("trunk", commit)


def test_a_deleted_branch_leaves_the_mirror_as_it_was(source, mirror):
    commit = source.commit({b"a.md": b"x"}, branch="side")
    source.commit({b"a.md": b"y"})
    fetch(mirror, LocalRemote(source.path), "side")
    source.repository.references.delete("refs/heads/side")

    assert fetch(mirror, LocalRemote(source.path), "side") == Tip("side", None, "branch-gone")
    assert read(mirror, commit, b"a.md") == b"x"


def test_an_empty_repository_makes_no_mirror(source, mirror):
    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", None, "empty")
    assert not mirror.path.exists()


def test_a_branch_name_is_checked_first(source, mirror):
    with pytest.raises(BranchNameError):
        fetch(mirror, LocalRemote(source.path), "--upload-pack=id")


def test_a_shallow_source_is_mirrored_with_its_mark(source, mirror, tmp_path, git_in):
    source.commit({b"a.md": b"old"})
    commit = source.commit({b"a.md": b"new"})
    git_in(tmp_path, "clone", "--quiet", "--depth=1", f"file://{source.path}", "cut")

    assert fetch(mirror, LocalRemote(tmp_path / "cut"), None) == Tip("main", commit)
    assert git_in(mirror.path, "log", "--format=%H") == f"{commit}\n"


def test_a_deepened_source_takes_the_mark_away(source, mirror, tmp_path, git_in):
    old = source.commit({b"a.md": b"old"})
    source.commit({b"a.md": b"new"})
    git_in(tmp_path, "clone", "--quiet", "--depth=1", f"file://{source.path}", "cut")
    fetch(mirror, LocalRemote(tmp_path / "cut"), None)
    newest = source.commit({b"a.md": b"newest"})
    git_in(tmp_path / "cut", "pull", "--quiet", "--unshallow")
    fetch(mirror, LocalRemote(tmp_path / "cut"), None)

    log = git_in(mirror.path, "log", "--format=%H").split()
    assert (log[0], log[-1]) == (newest, old)


def test_what_a_killed_writer_left_is_swept(source, mirror):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)
    for name in ("refs/heads/tip.lock", "objects/pack/tmp_pack_x", "packed-refs.lock"):
        (mirror.path / name).write_text("left")
    moved = source.commit({b"a.md": b"y"})

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", moved)
    assert not list(mirror.path.rglob("*.lock")) + list(mirror.path.rglob("tmp_*"))


def test_a_source_whose_tip_is_damaged_is_corrupt_and_changes_nothing(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)
    broken = source.commit({b"a.md": b"y"})
    source.object_file(broken).chmod(0o644)
    source.object_file(broken).write_bytes(source.object_file(broken).read_bytes()[:20])

    assert fetch(mirror, LocalRemote(source.path), None).reason == "corrupt"
    assert read(mirror, commit, b"a.md") == b"x"


def test_a_damaged_mirror_is_made_again_with_its_pins(source, mirror):
    old = source.commit({b"a.md": b"old"})
    fetch(mirror, LocalRemote(source.path), None)
    pin(mirror, old)
    commit = source.commit({b"a.md": b"new"})
    fetch(mirror, LocalRemote(source.path), None)
    damaged = mirror.path / "objects" / commit[:2] / commit[2:]
    damaged.unlink()
    damaged.write_bytes(b"junk")

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", commit)
    assert read(mirror, commit, b"a.md") == b"new"
    assert pinned(mirror) == [old]
    assert sorted(p.name for p in mirror.root.iterdir()) == ["7.git", "7.lock"]


def test_a_mirror_that_is_no_repository_any_more_is_made_again(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)
    (mirror.path / "HEAD").unlink()

    assert fetch(mirror, LocalRemote(source.path), None) == Tip("main", commit)
    assert read(mirror, commit, b"a.md") == b"x"


def test_a_reader_may_ask_for_the_mirror_to_be_made_again(source, mirror):
    commit = source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    assert make_again(mirror, LocalRemote(source.path), None) == Tip("main", commit)
    assert read(mirror, commit, b"a.md") == b"x"


def test_a_busy_mirror_is_a_typed_error(source, mirror):
    source.commit({b"a.md": b"x"})
    mirror.root.mkdir()
    access = RemoteAccess(deadlines=Deadlines(lock_s=0.1))

    with locked(mirror.lock, 1), pytest.raises(MirrorBusyError):
        fetch(mirror, LocalRemote(source.path), None, access)


FETCH_OFTEN = """
import sys
from pathlib import Path
from brain.gitmirror.fetch import fetch
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.remote import LocalRemote

for _ in range(20):
    print(fetch(Mirror(Path(sys.argv[1]), 7), LocalRemote(Path(sys.argv[2])), None).commit)
"""


def test_two_processes_may_fetch_one_mirror(source, mirror):
    for number in range(10):
        commit = source.commit({b"%d.md" % n: b"x%d" % n for n in range(number)})
    command = [sys.executable, "-c", FETCH_OFTEN, str(mirror.root), str(source.path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=30)[0].decode().split() for process in processes]

    assert said == [[commit] * 20] * 2
    assert read(mirror, commit, b"8.md") == b"x8"


def test_a_removed_mirror_leaves_nothing(source, mirror):
    source.commit({b"a.md": b"x"})
    fetch(mirror, LocalRemote(source.path), None)

    remove(mirror)
    remove(mirror)

    assert not list(mirror.root.iterdir())


def test_hooks_and_configuration_of_the_source_do_nothing(source, mirror, tmp_path):
    source.commit({b"a.md": b"x"})
    ran = tmp_path / "ran"
    for name in ("post-checkout", "pre-auto-gc", "reference-transaction"):
        hook = source.git_dir / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    with (source.git_dir / "config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = touch {ran}\n\tsshCommand = touch {ran}\n")

    assert fetch(mirror, LocalRemote(source.path), None).reason == ""
    assert not ran.exists()


def test_the_branches_of_a_remote_can_be_listed(source):
    source.commit({b"a.md": b"x"})
    source.commit({b"a.md": b"x"}, branch="side")

    assert branches(LocalRemote(source.path)) == ["main", "side"]
