import errno
import os

import pytest

from brain.gitmirror.object_links import SourceMovedError, link_objects


@pytest.fixture
def objects(tmp_path):
    for name in ("source/pack", "mirror/pack", "source/ab"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "source", tmp_path / "mirror"


PACK = "pack-" + "1" * 40


def files(mirror):
    return sorted(str(p.relative_to(mirror)) for p in mirror.rglob("*") if not p.is_dir())


def test_files_are_linked_and_skipped_the_next_time(objects):
    source, mirror = objects
    (source / "ab" / ("0" * 38)).write_text("x")
    (source / f"pack/{PACK}.pack").write_text("x")
    (source / f"pack/{PACK}.idx").write_text("x")

    assert link_objects([source], mirror) == 3
    assert link_objects([source], mirror) == 0
    assert (mirror / "ab" / ("0" * 38)).stat().st_nlink == 2


def test_only_whole_packs_and_objects_come(objects):
    source, mirror = objects
    for name in (f"pack/{PACK}.pack", "pack/tmp_pack_1", "ab/tmp_obj_1", "pack/other.idx"):
        (source / name).write_text("x")

    assert link_objects([source], mirror) == 0
    assert files(mirror) == []


def test_symbolic_links_do_not_come(objects, tmp_path):
    source, mirror = objects
    (tmp_path / "secret").write_text("x")
    (source / "ab" / ("0" * 38)).symlink_to(tmp_path / "secret")
    (source / f"pack/{PACK}.pack").symlink_to(tmp_path / "secret")
    (source / f"pack/{PACK}.idx").write_text("x")

    assert link_objects([source], mirror) == 0
    assert files(mirror) == []


def test_files_are_copied_where_links_are_refused(objects, monkeypatch):
    source, mirror = objects
    (source / "ab" / ("0" * 38)).write_text("x")

    def refuse(*_, **__):
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)

    assert link_objects([source], mirror) == 1
    assert files(mirror) == ["ab/" + "0" * 38]
    assert (mirror / "ab" / ("0" * 38)).stat().st_nlink == 1


def test_a_pack_that_appears_meanwhile_comes_in_another_pass(objects, monkeypatch):
    source, mirror = objects
    loose = source / "ab" / ("0" * 38)
    loose.write_text("x")
    link = os.link

    def repack_then_link(target, *rest, **options):
        if loose.exists():
            loose.unlink()
            (source / f"pack/{PACK}.pack").write_text("x")
            (source / f"pack/{PACK}.idx").write_text("x")
            raise FileNotFoundError
        link(target, *rest, **options)

    monkeypatch.setattr(os, "link", repack_then_link)

    assert link_objects([source], mirror) == 2
    assert files(mirror) == [f"pack/{PACK}.idx", f"pack/{PACK}.pack"]


def test_a_source_that_never_stands_still_is_given_up(objects, monkeypatch):
    source, mirror = objects
    (source / "ab" / ("0" * 38)).write_text("x")

    def vanish(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(os, "link", vanish)

    with pytest.raises(SourceMovedError):
        link_objects([source], mirror)
