import os
import stat
import subprocess
import sys

import pytest

from brain.cli.errors import DataFolderError
from brain.cli.instance import (
    Instance,
    Lock,
    api_token,
    make_data_folder,
    read_instance,
    write_instance,
)

INSTANCE = Instance("http://a/api", "http://a/mcp", "brain_x", "/d", 17, "2026-01-02T03:04:05Z")


def test_an_instance_is_read_as_written_by_its_owner_alone(tmp_path):
    write_instance(tmp_path, INSTANCE)

    assert read_instance(tmp_path) == INSTANCE
    assert stat.S_IMODE((tmp_path / "instance.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "{}", "[]", "not json"])
def test_a_broken_file_is_no_instance(content, tmp_path):
    (tmp_path / "instance.json").write_text(content)

    assert read_instance(tmp_path) is None


def test_an_existing_folder_keeps_its_mode(tmp_path):
    tmp_path.chmod(0o750)

    make_data_folder(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "data").write_text("")

    with pytest.raises(DataFolderError, match=r"data cannot be used"):
        make_data_folder(tmp_path / "data")


@pytest.mark.parametrize("name", ["a\nb", "a\x1bb", "a\udcffb"])
def test_a_name_that_no_configuration_can_hold_is_refused(tmp_path, name):
    with pytest.raises(DataFolderError, match="no clean text"):
        make_data_folder(tmp_path / name)

    assert list(tmp_path.iterdir()) == []


def test_the_token_is_generated_once(tmp_path):
    make_data_folder(tmp_path)
    first = api_token(tmp_path, None)

    assert api_token(tmp_path, None) == first
    assert api_token(tmp_path, "4cb1f0a9e2d84b61") == "4cb1f0a9e2d84b61"


def test_a_lock_is_held_by_one(tmp_path):
    first, second = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")

    assert first.take()
    assert not second.take(wait_s=0.1)
    first.release()
    assert second.take()
    second.release()


def test_a_lock_names_its_holder(tmp_path):
    lock = Lock(tmp_path / "lock")
    assert Lock(tmp_path / "lock").holder_pid() is None
    lock.take()
    lock.write_pid()

    assert Lock(tmp_path / "lock").holder_pid() == os.getpid()
    lock.release()


def test_an_id_noted_by_an_earlier_holder_is_not_believed(tmp_path):
    lock = Lock(tmp_path / "lock")
    lock.take()
    (tmp_path / "lock").write_text("1")

    assert Lock(tmp_path / "lock").holder_pid() is None
    lock.release()


def test_a_lock_lasts_until_the_last_child_that_inherited_it_ends(tmp_path):
    lock = Lock(tmp_path / "lock")
    lock.take()
    child = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[lock.descriptor]
    )
    lock.release()

    assert not Lock(tmp_path / "lock").take()
    assert Lock(tmp_path / "lock").open_in() == [child.pid]
    child.communicate(b"\n")
    assert Lock(tmp_path / "lock").take()
