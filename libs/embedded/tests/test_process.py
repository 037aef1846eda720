import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from brain.embedded.errors import StartError
from brain.embedded.process import Program, running, start, stop
from brain.testkit.waiting import eventually

ENVIRONMENT = {"PATH": os.environ["PATH"]}
SLEEPER = (sys.executable, "-c", "import time; time.sleep(60)")
DEAF = (
    sys.executable,
    "-c",
    "from signal import *; signal(15, SIG_IGN); print('deaf', flush=True); pause()",
)
PARENT = """
import sys, time
from brain.embedded.process import Program, start
program = Program("child", (sys.executable, "-c", "import time; time.sleep(60)"), {}, bool)
print(start(program).pid, flush=True)
time.sleep(60)
"""


def program(argv, **changes):
    return Program("child", argv, ENVIRONMENT, lambda _: True)._replace(**changes)


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's signal exists on Linux alone")
def test_a_child_dies_with_its_killed_parent():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())

    parent.kill()
    parent.communicate()

    eventually(lambda: is_gone(child))


def test_a_child_leads_a_session_of_its_own():
    sleeper = program(SLEEPER)
    process = start(sleeper)

    assert os.getsid(process.pid) == process.pid
    stop(process, sleeper, 5.0)


def test_a_stop_asks_first():
    sleeper = program(SLEEPER)
    process = start(sleeper)

    stop(process, sleeper, 5.0)

    assert process.returncode == -signal.SIGTERM


def test_a_stop_kills_what_does_not_listen(tmp_path):
    deaf = program(DEAF)
    log = tmp_path / "log"
    with log.open("wb") as sink:
        process = start(deaf, output=sink.fileno())
    eventually(lambda: log.read_text() == "deaf\n")

    stop(process, deaf, 0.2)

    assert process.returncode == -signal.SIGKILL


def test_a_program_that_ends_early_is_reported_with_its_last_words(tmp_path):
    hasty = program((sys.executable, "-c", "print('no disk'); exit(3)"), is_ready=lambda _: False)

    with (
        pytest.raises(StartError, match="child ended with 3 before it was ready: no disk"),
        running(hasty, tmp_path / "log"),
    ):
        pass


def test_a_program_that_never_gets_ready_is_ended(tmp_path):
    silent = program(SLEEPER, is_ready=lambda _: False)

    with (
        pytest.raises(StartError, match="said nothing for 0 s"),
        running(silent, tmp_path / "log", timeout_s=0.1),
    ):
        pass
