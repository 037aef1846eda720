"""Logs are one JSON object a line, whatever a field holds."""

import json
import logging
import subprocess
import sys

import pytest

from brain.telemetry.logs import JsonFormatter


class Unwritable:
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def written(message="hello", args=(), **fields) -> dict:
    record = logging.LogRecord("brain.x", logging.INFO, "x.py", 1, message, args, None)
    record.__dict__.update(fields)
    line = JsonFormatter("test").format(record)
    assert "\n" not in line
    assert line.isascii()
    return json.loads(line, parse_constant=pytest.fail)


CIRCLE: list = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    "value",
    [
        'a\nb\r\n{"level": "error"}',
        "\x1b[31mred\x1b[0m",
        "\ud800",
        "\u2028\u2029\x85",
        "\0",
        b"\xff",
        float("nan"),
        float("inf"),
        {("a", 1): 2},
        {"a": {1, 2}},
        CIRCLE,
        Unwritable(),
        RuntimeError("a\nb"),
        10**5_000,
        "x" * 1_000_000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_value_stays_on_its_line(value):
    entry = written(path=value)

    assert entry["message"] == "hello"
    assert entry["level"] == "info"


def test_messages_with_line_ends_stay_on_their_line():
    assert written("a\nb\x1b")["message"] == "a\nb\x1b"


def test_a_message_whose_arguments_do_not_fit_is_written_as_it_is():
    assert written("%d items", ("x",))["message"] == "%d items"


def test_no_field_takes_the_place_of_another():
    entry = written(level="fake", service="fake", time="fake", logger="fake")

    assert (entry["level"], entry["service"], entry["logger"]) == ("info", "test", "brain.x")


def test_exceptions_stay_on_their_line():
    try:
        int("a\nb")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "m", (), sys.exc_info())

    line = JsonFormatter("test").format(record)

    assert "\n" not in line
    assert "ValueError: invalid literal" in json.loads(line)["exception"]


def test_a_crash_and_a_warning_are_lines_too():
    program = (
        "import warnings\n"
        "from brain.telemetry.logs import setup_logging\n"
        "setup_logging('test')\n"
        "warnings.warn('a\\nb')\n"
        "raise RuntimeError('c\\nd')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    warning, crash = map(json.loads, done.stderr.splitlines())
    assert "a\nb" in warning["message"]
    assert crash["level"] == "critical"
    assert "c\nd" in crash["exception"]
