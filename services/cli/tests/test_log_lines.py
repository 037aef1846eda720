import io
import re
from pathlib import Path

import pytest

from brain.cli import log_lines
from brain.cli.log_lines import LogFile, LogLines, is_routine


def test_a_line_is_dated_and_prefixed_in_the_file(tmp_path):
    LogLines(LogFile(tmp_path / "log"), None, colored=False).write("nats", "word")

    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ nats     word\n", (tmp_path / "log").read_text()
    )


def test_a_terminal_gets_the_prefix_alone(tmp_path):
    terminal = io.StringIO()

    LogLines(LogFile(tmp_path / "log"), terminal, colored=False).write("host", "word")

    assert terminal.getvalue() == "host     │ word\n"


def test_control_characters_are_shown_not_sent(tmp_path):
    terminal = io.StringIO()

    LogLines(LogFile(tmp_path / "log"), terminal, colored=False).write("host", "a\x1b[31mb\x9b")

    assert terminal.getvalue() == "host     │ a\\x1b[31mb\\x9b\n"


def test_routine_lines_stay_in_the_file(tmp_path):
    terminal = io.StringIO()

    lines = LogLines(LogFile(tmp_path / "log"), terminal, colored=False)
    lines.write("postgres", "LOG:  database system is ready to accept connections")

    assert terminal.getvalue() == ""
    assert "database system is ready" in (tmp_path / "log").read_text()


def test_a_closed_terminal_does_not_stop_the_file(tmp_path):
    class Closed(io.StringIO):
        def write(self, _):
            raise BrokenPipeError

    lines = LogLines(LogFile(tmp_path / "log"), Closed(), colored=False)
    lines.write("host", "first")
    lines.write("host", "second")

    assert (tmp_path / "log").read_text().count("host") == 2


def test_a_full_file_is_set_aside_and_three_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(log_lines, "ROTATE_BYTES", 3)
    file = LogFile(tmp_path / "log")

    for number in range(6):
        file.write(f"line {number}")

    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["log", "log.1", "log.2", "log.3"]
    assert (tmp_path / "log").read_text() == "line 5\n"
    assert (tmp_path / "log.3").read_text() == "line 2\n"


def test_a_full_disk_loses_lines_and_nothing_else():
    LogFile(Path("/dev/full")).write("lost")


@pytest.mark.parametrize(
    ("line", "routine"),
    [
        ("[17] [INF] Server is ready", True),
        ("[17] [ERR] JetStream out of space", False),
        ("[17] [WRN] Plaintext passwords detected, use nkeys or bcrypt", True),
        ("LOG:  database system is shut down", True),
        ("FATAL:  could not write", False),
        ("", True),
    ],
)
def test_routine_is_what_servers_always_say(line, routine):
    assert is_routine(line) is routine
