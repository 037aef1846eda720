from pathlib import Path

import pytest

from brain.cli.errors import PlaceholderTokenError, SettingError
from brain.cli.settings import read_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path):
    for name in ("BRAIN_DATA", "BRAIN_PORT_BASE", "BRAIN_API_TOKEN", "BRAIN_URL", "BRAIN_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_without_anything_the_defaults_hold(tmp_path):
    settings = read_settings({})

    assert settings.data == tmp_path / ".local" / "share" / "brain"
    assert settings.port_base == 7700
    assert settings.api_token is None


def test_a_file_beats_the_default(tmp_path):
    (tmp_path / "brain.yaml").write_text("port-base: 7800\n")

    assert read_settings({"data": str(tmp_path)}).port_base == 7800


def test_the_server_process_gets_the_file_beneath_the_environment(tmp_path, monkeypatch):
    (tmp_path / "brain.yaml").write_text("allow-path: [/a, /b]\npoll: 5\nmetrics: true\n")
    monkeypatch.setenv("BRAIN_POLL", "7")

    environment = read_settings({"data": str(tmp_path)}).environment

    assert environment["BRAIN_ALLOW_PATH"] == "/a,/b"
    assert environment["BRAIN_POLL"] == "7"
    assert environment["BRAIN_METRICS"] == "true"


def test_the_environment_beats_the_file(tmp_path, monkeypatch):
    (tmp_path / "brain.yaml").write_text("port_base: 7800\n")
    monkeypatch.setenv("BRAIN_PORT_BASE", "7900")

    assert read_settings({"data": str(tmp_path)}).port_base == 7900


def test_a_flag_beats_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("BRAIN_PORT_BASE", "7900")

    assert read_settings({"data": str(tmp_path), "port_base": "8000"}).port_base == 8000


def test_the_data_folder_becomes_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert read_settings({"data": "here"}).data == tmp_path / "here"


@pytest.mark.parametrize("value", ["0", "65535", "80x", "-1", "\u0667\u0667\u0660\u0660", ""])
def test_a_senseless_port_is_refused(value):
    with pytest.raises(SettingError, match="expected a number from 1 to 65534"):
        read_settings({"port_base": value})


@pytest.mark.parametrize("value", ["", "changeme", "short", "xxxxxxxxxxxxxxxxxxxx", "placeholder"])
def test_a_placeholder_is_no_token(value, monkeypatch):
    monkeypatch.setenv("BRAIN_API_TOKEN", value)

    with pytest.raises(PlaceholderTokenError):
        read_settings({})


def test_a_real_token_is_taken(monkeypatch):
    monkeypatch.setenv("BRAIN_API_TOKEN", "4cb1f0a9e2d84b61")

    assert read_settings({}).api_token == "4cb1f0a9e2d84b61"


@pytest.mark.parametrize("content", ["- a list", "{unclosed", "[" * 5000, "PATH: x", "yes: 1"])
def test_a_bad_file_is_named(content, tmp_path):
    (tmp_path / "brain.yaml").write_text(content)

    with pytest.raises(SettingError, match=r"brain\.yaml"):
        read_settings({"data": str(tmp_path)})


def test_the_runtime_folder_is_the_systems(monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")

    assert read_settings({}).runtime_folder == Path("/run/user/1000")
