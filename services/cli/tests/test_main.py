import json
import subprocess
import sys

import pytest

from brain.cli.commands import COMMANDS
from brain.cli.main import LazyGroup, run


def test_the_version_is_one_object_with_json(capsys):
    assert run(["version", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": "0.1.0"}


def test_an_unknown_command_is_a_usage_error(capsys):
    assert run(["rise"]) == 2
    assert "No such command 'rise'" in capsys.readouterr().err


def test_a_usage_error_is_an_object_with_json(capsys):
    assert run(["up", "--port-base", "x", "--json"]) == 2

    problem = json.loads(capsys.readouterr().err)
    assert problem["code"] == "usage"
    assert "'x' is not a valid integer range" in problem["detail"]


def test_a_missing_value_is_a_usage_error(capsys):
    assert run(["down", "--data"]) == 2
    assert capsys.readouterr().out == ""


def test_no_command_shows_the_help(capsys):
    assert run([]) == 2
    assert "Commands:" in capsys.readouterr().err


def test_a_failure_is_one_line_and_exit_1(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BRAIN_API_TOKEN", "changeme")

    assert run(["down", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("brain: BRAIN_API_TOKEN is empty, a placeholder")


def test_down_without_an_instance_says_so(tmp_path, capsys):
    assert run(["down", "--json", "--data", str(tmp_path / "nothing")]) == 0
    assert json.loads(capsys.readouterr().out) == {"stopped": False}
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_can_be_imported(name):
    command = LazyGroup().get_command(None, name)

    assert command.name == name


def test_the_supervisor_loads_neither_a_framework_nor_a_client():
    program = (
        "import sys, brain.cli.supervisor; "
        "print(sorted({'asyncio', 'click', 'httpx', 'msgspec', 'ssl', 'logging', 'hashlib'}"
        " & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--token", "brain_\u00fc"], "bad-token"),
        (["--token", "brain_a\nX: y"], "bad-token"),
        (["--url", "nonsense"], "bad-address"),
        (["--url", "ftp://127.0.0.1"], "bad-address"),
        (["--url", "http://127.0.0.1:x"], "bad-address"),
        (["--url", "http://"], "bad-address"),
        (["lookup", "notes", "x" * 100_000], "bad-request"),
        (["--url", "http://127.0.0.1:1"], "unreachable"),
    ],
)
def test_what_cannot_be_sent_is_a_problem_of_its_own(words, code, tmp_path, capsys):
    command = [] if "lookup" in words else ["tree", "notes"]
    where = ["--url", "http://127.0.0.1:1", "--data", str(tmp_path), "--json"]

    assert run([*where, *command, *words]) == 1

    assert json.loads(capsys.readouterr().err)["code"] == code
