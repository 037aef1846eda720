import os
import signal
import sys
from pathlib import Path

import pytest

from brain.cli.keeper import Keeper
from brain.cli.log_lines import LogFile, LogLines
from brain.embedded.process import Program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched as on Linux")


@pytest.fixture
def keeper(tmp_path):
    keeper = Keeper(LogLines(LogFile(tmp_path / "log"), None, colored=False), (), lambda _: None)
    yield keeper
    for child in keeper.children:
        keeper.stop(child, 2.0)


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return Program("host", (str(path),), {"PATH": "/usr/bin:/bin"}, lambda _: True)


def test_output_is_logged_line_by_line(keeper, tmp_path):
    child = keeper.run_once(script(tmp_path / "run", "echo one; printf two"), 10.0)

    assert child.exit_code == 0
    assert [line.split(maxsplit=1)[1] for line in log_of(tmp_path)] == [
        "host     one",
        "host     two",
    ]


def test_what_dies_before_it_was_ready_is_not_started_again(keeper, tmp_path):
    program = script(tmp_path / "run", "exit 3")._replace(is_ready=lambda _: False)

    child = keeper.add(program)

    assert keeper.until(lambda: child.state == "ended", 10.0)
    assert (child.exit_code, child.restarts) == (3, 0)


def test_what_dies_is_started_again_with_growing_delays(keeper, tmp_path):
    child = keeper.add(script(tmp_path / "run", "exec sleep 60"))

    for restarts in (1, 2):
        assert keeper.until(lambda: child.state == "ready", 10.0)
        os.kill(child.pid, signal.SIGKILL)
        assert keeper.until(lambda expected=restarts: child.restarts == expected, 10.0)
    assert child.delay_s == 0.8


def test_a_program_that_is_gone_is_tried_again(keeper, tmp_path):
    child = keeper.add(script(tmp_path / "run", "exec sleep 60"))
    assert keeper.until(lambda: child.state == "ready", 10.0)
    (tmp_path / "run").unlink()
    os.kill(child.pid, signal.SIGKILL)

    assert keeper.until(lambda: child.restarts == 2, 10.0)
    assert any("host cannot be started" in line for line in log_of(tmp_path))


def test_the_session_of_a_dead_process_is_ended(keeper, tmp_path):
    program = script(tmp_path / "run", f"sleep 60 & echo $! > {tmp_path}/pid; exit 3")
    child = keeper.add(program._replace(is_ready=lambda _: False))

    assert keeper.until(lambda: child.state == "ended", 10.0)
    pid = (tmp_path / "pid").read_text().strip()
    assert keeper.until(lambda: is_gone(pid), 10.0)


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def log_of(folder):
    return (folder / "log").read_text().splitlines()
