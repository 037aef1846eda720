import re
import stat

from brain.embedded.private_file import read_or_create_secret, write_private


def test_a_private_file_is_readable_by_its_owner_alone(tmp_path):
    write_private(tmp_path / "secret", "word\n")

    assert (tmp_path / "secret").read_text() == "word\n"
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_a_link_in_its_place_is_replaced_not_followed(tmp_path):
    (tmp_path / "other").write_text("untouched")
    (tmp_path / "secret").symlink_to(tmp_path / "other")

    write_private(tmp_path / "secret", "word")

    assert (tmp_path / "other").read_text() == "untouched"
    assert not (tmp_path / "secret").is_symlink()


def test_a_draft_left_behind_is_no_obstacle(tmp_path):
    write_private(tmp_path / "secret", "first")
    write_private(tmp_path / "secret", "second")

    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_a_secret_holds_43_url_safe_characters(tmp_path):
    secret = read_or_create_secret(tmp_path / "token", "brain_")

    assert re.fullmatch(r"brain_[A-Za-z0-9_-]{43}", secret)


def test_a_secret_is_made_once(tmp_path):
    first = read_or_create_secret(tmp_path / "token", "brain_")

    assert read_or_create_secret(tmp_path / "token", "brain_") == first
    assert read_or_create_secret(tmp_path / "other", "brain_") != first
