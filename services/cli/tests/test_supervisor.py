"""The supervisor with real Postgres and NATS around a stand-in for our own processes."""

import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from brain.cli.instance import processes_lock, supervisor_lock
from brain.cli.stopping import stop_instance
from brain.embedded.place import folder_key
from brain.testkit.ports import free_port_pair
from brain.testkit.waiting import eventually

NOBODY = 65534  # initdb wants an account that has a name

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

HERE = Path(__file__).parent
SUPERVISOR = (sys.executable, str(HERE / "stand_in_supervisor.py"))
BROKEN = """
import sys
sys.path.insert(0, {folder!r})
from stand_in_supervisor import COMMANDS, supervisor
words = "print('no such column'); raise SystemExit(3)"
commands = COMMANDS._replace(migrate=(sys.executable, "-c", words))
sys.exit(supervisor.main(sys.argv[1:], commands))
"""


class Site:
    """A data folder with its ports, and what runs there."""

    def __init__(self, data):
        self.data = data
        self.port = free_port_pair()

    def up(self, *script):
        """Run the command to its end, and to the end of the streams it was given."""
        argv = [sys.executable, str(HERE / "stand_in_up.py"), str(self.data), str(self.port)]
        return subprocess.run(
            [*argv, *script], capture_output=True, text=True, check=False, timeout=60
        )

    def services(self):
        rows = json.loads((self.data / "services.json").read_text())
        return {row["name"]: row for row in rows}

    def all_ready(self):
        return len(self.services()) == 3 and all(
            row["state"] == "ready" for row in self.services().values()
        )

    def processes(self):
        """Return every process of the instance: the holders of the lock they all inherit."""
        return processes_lock(self.data).open_in()

    def supervisor(self):
        return supervisor_lock(self.data).holder_pid()


@pytest.fixture
def site(open_folder):
    site = Site(open_folder / "data")
    yield site
    stop_instance(site.data)
    for folder in Path("/run").glob(f"brain-*-{folder_key(site.data / 'postgres')}"):
        folder.rmdir()


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def answer(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_up_returns_once_ready_and_says_how_it_is_reached(site):
    said = answer(site.up())

    assert said["restUrl"] == f"http://127.0.0.1:{site.port}/api"
    assert said["mcpUrl"] == f"http://127.0.0.1:{site.port}/mcp"
    assert said["token"].startswith("brain_")
    assert said["dataDir"] == str(site.data)
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/readyz") as response:
        assert response.status == 200


def test_a_second_up_reports_the_first(site):
    first = answer(site.up())
    pids = {row["pid"] for row in site.services().values()}

    assert answer(site.up()) == first
    assert {row["pid"] for row in site.services().values()} == pids


def test_down_ends_every_process_and_says_whether_any_ran(site):
    site.up()
    pids = [site.supervisor(), *site.processes()]

    assert stop_instance(site.data) is True

    assert len(pids) >= 4
    assert [pid for pid in pids if is_alive(pid)] == []
    assert not (site.data / "instance.json").exists()
    assert list(Path("/run").glob(f"brain-*-{folder_key(site.data / 'postgres')}")) == []
    assert stop_instance(site.data) is False


def test_data_and_token_survive_down_and_up(site):
    token = answer(site.up())["token"]
    cluster = (site.data / "postgres" / "data" / "PG_VERSION").stat().st_ino
    stop_instance(site.data)

    assert answer(site.up())["token"] == token
    assert (site.data / "postgres" / "data" / "PG_VERSION").stat().st_ino == cluster


@pytest.mark.parametrize("name", ["postgres", "nats", "host"])
def test_what_is_killed_is_started_again(site, name):
    site.up()
    before = site.services()
    os.kill(before[name]["pid"], signal.SIGKILL)

    eventually(lambda: site.all_ready() and site.services()[name]["restarts"] == 1, within_s=30)

    after = site.services()
    assert after[name]["pid"] != before[name]["pid"]
    others = {"postgres", "nats", "host"} - {name}
    assert {after[other]["pid"] for other in others} == {before[other]["pid"] for other in others}


def test_a_killed_supervisor_leaves_no_process(site):
    site.up()
    os.kill(site.supervisor(), signal.SIGKILL)

    eventually(lambda: site.processes() == [], within_s=15)


def test_after_a_killed_supervisor_up_starts_anew(site):
    first = answer(site.up())
    os.kill(site.supervisor(), signal.SIGKILL)

    assert answer(site.up()) == first


def test_down_ends_what_a_killed_supervisor_left(site):
    site.up()
    os.kill(site.supervisor(), signal.SIGKILL)
    stop_instance(site.data)

    assert site.processes() == []


@pytest.mark.parametrize(("offset", "use"), [(0, "HTTP"), (1, "NATS")])
def test_a_taken_port_is_named_before_anything_starts(site, offset, use):
    with socket.create_server(("127.0.0.1", site.port + offset)):
        done = site.up()

    assert done.returncode == 1
    problem = json.loads(done.stderr)
    assert problem["code"] == "port-taken"
    assert problem["detail"].startswith(f"Port {site.port + offset} on 127.0.0.1, needed for {use}")
    assert not (site.data / "postgres").exists()
    assert site.processes() == []


def test_no_mode_above_or_of_an_existing_folder_changes(site):
    site.data.mkdir(mode=0o755)
    watched = [site.data, *site.data.parents]
    before = [stat.S_IMODE(folder.stat().st_mode) for folder in watched]

    site.up()

    assert [stat.S_IMODE(folder.stat().st_mode) for folder in watched] == before


def test_secrets_are_readable_by_us_alone(site):
    site.up()

    for name in ("instance.json", "secrets/api-token", "nats/password", "nats/nats.json"):
        assert stat.S_IMODE((site.data / name).stat().st_mode) == 0o600, name


def test_the_detached_supervisor_leads_a_session_without_our_streams(site):
    site.up()
    pid = site.supervisor()

    assert os.getsid(pid) == pid
    streams = [Path(f"/proc/{pid}/fd/{number}").readlink() for number in (0, 1, 2)]
    log = site.data / "logs" / "brain.log"
    assert streams == [Path("/dev/null"), log, log]


def test_a_step_that_fails_ends_the_start_with_its_last_words(site):
    script = site.data.parent / "broken.py"
    script.write_text(BROKEN.format(folder=str(HERE)))

    done = site.up(str(script))

    assert done.returncode == 1
    assert json.loads(done.stderr) == {
        "code": "start-failed",
        "detail": "migrate ended with 3\n  no such column",
    }
    assert site.processes() == []


def test_a_folder_that_cannot_be_made_is_named(site):
    site.data.mkdir(mode=0o711)
    (site.data / "nats").touch()

    done = site.up()

    said = json.loads(done.stderr)
    assert (done.returncode, said["code"]) == (1, "start-failed")
    assert said["detail"].endswith(f"File exists: '{site.data / 'nats'}'")
    assert site.processes() == []


@contextlib.contextmanager
def foreground(site, mode):
    argv = [*SUPERVISOR, str(site.data), str(site.port), mode]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGHUP, 0)]
)
def test_a_signal_ends_the_foreground_and_all_it_started(site, number, code):
    with foreground(site, "json") as process:
        said = json.loads(process.stdout.readline())
        process.send_signal(number)

        assert process.wait(timeout=30) == code
        assert said["dataDir"] == str(site.data)
    assert site.processes() == []


def test_a_signal_while_starting_ends_the_start(site):
    with foreground(site, "human") as process:
        eventually((site.data / "postgres").exists)
        process.terminate()

        assert process.wait(timeout=30) == 0
    assert site.processes() == []


def test_people_read_steps_and_a_block(site):
    with foreground(site, "human") as process:
        eventually((site.data / "instance.json").exists, within_s=30)
        process.terminate()
        out, err = process.communicate(timeout=30)

    assert f"    REST   http://127.0.0.1:{site.port}/api\n" in out
    assert [line.split()[1] for line in err.splitlines() if line.startswith("  ✓")] == [
        "postgres",
        "nats",
        "migrate",
        "host",
    ]
    assert "\x1b" not in out + err


def test_external_servers_are_used_instead_of_own_ones(site, postgres, nats_url, monkeypatch):
    monkeypatch.setenv("BRAIN_DATABASE_URL", postgres.url)
    monkeypatch.setenv("BRAIN_NATS_URL", nats_url)

    assert answer(site.up())["dataDir"] == str(site.data)

    assert list(site.services()) == ["host"]
    assert not (site.data / "postgres").exists()


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)
def test_an_ordinary_user_runs_it_in_a_folder_of_their_own(site):
    python = Path(sys.executable).resolve()
    if python.is_relative_to("/root"):
        pytest.skip("this interpreter lies under /root, closed to ordinary users")
    site.data.mkdir()
    os.chown(site.data, NOBODY, NOBODY)
    argv = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *SUPERVISOR]
    process = subprocess.Popen(
        [*argv, str(site.data), str(site.port), "json"], stdout=subprocess.PIPE, text=True
    )

    said = json.loads(process.stdout.readline())
    owners = {Path(f"/proc/{row['pid']}").stat().st_uid for row in site.services().values()}
    process.terminate()
    process.communicate(timeout=30)

    assert said["dataDir"] == str(site.data)
    assert owners == {NOBODY}
    assert (site.data / "postgres" / "data").stat().st_uid == NOBODY
