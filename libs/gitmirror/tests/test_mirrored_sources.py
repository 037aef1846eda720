from brain.gitmirror.mirror import Mirror, mirrored_sources, remove


def test_only_mirrors_count(tmp_path):
    for name in ("7.git", "12.git", "notes.git", "7.abc.tmp", "٣.git", "-1.git"):
        (tmp_path / name).mkdir()
    (tmp_path / "9.lock").touch()

    assert mirrored_sources(tmp_path) == {7, 12}


def test_a_folder_that_is_not_there_holds_none(tmp_path):
    assert mirrored_sources(tmp_path / "absent") == set()


def test_what_was_parsed_goes_with_its_mirror_or_after_it(tmp_path):
    names = ("7.git", "7.parsed", "7.parsed-wal", "7.parsed-shm", "8.parsed", "70.parsed")
    for name in names:
        (tmp_path / name).touch() if "parsed" in name else (tmp_path / name).mkdir()

    found = mirrored_sources(tmp_path)
    remove(Mirror(tmp_path, 7))
    remove(Mirror(tmp_path, 8))

    assert found == {7, 8, 70}
    assert [path.name for path in tmp_path.iterdir()] == ["70.parsed"]
