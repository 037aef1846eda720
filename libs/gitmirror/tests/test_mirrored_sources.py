from brain.gitmirror.mirror import mirrored_sources


def test_only_mirrors_count(tmp_path):
    for name in ("7.git", "12.git", "notes.git", "7.abc.tmp", "٣.git", "-1.git"):
        (tmp_path / name).mkdir()
    (tmp_path / "9.lock").touch()

    assert mirrored_sources(tmp_path) == {7, 12}


def test_a_folder_that_is_not_there_holds_none(tmp_path):
    assert mirrored_sources(tmp_path / "absent") == set()
