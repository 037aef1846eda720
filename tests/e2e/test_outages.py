"""NATS or Postgres away for a while: typed errors, and nothing lost."""

import contextlib
import json
import os
import signal
import time
from pathlib import Path

import pytest

from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder
from tests.e2e.conftest import started

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def lonely():
    environment = dict(os.environ) | {"BRAIN_PULL_WAIT_S": "3", "BRAIN_RECONCILE_S": "5"}
    with scratch_folder() as folder, started(folder / "data", environment) as running:
        yield running


@pytest.fixture
def notes(lonely):
    repository = TestRepository(lonely.data.parent / f"notes-{time.monotonic_ns()}.git")
    repository.commit({"a.md": "# First\n"})
    lonely.json("project", "add", "notes", "--repo", str(repository.path), "--wait")
    yield repository
    lonely.json("project", "remove", "notes")


def pid_of(instance, name: str) -> int:
    services = json.loads((instance.data / "services.json").read_text())
    return next(each["pid"] for each in services if each["name"] == name)


def family(pid: int) -> list[int]:
    """A process and its children; Postgres gives each backend a group of its own."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


@contextlib.contextmanager
def paused(pid: int):
    for each in family(pid):
        os.kill(each, signal.SIGSTOP)
    try:
        yield
    finally:
        for each in family(pid):
            os.kill(each, signal.SIGCONT)


def until(check, within_s: float = 90.0):
    deadline_s = time.monotonic() + within_s
    while True:
        found = check()
        if found or time.monotonic() > deadline_s:
            return found
        time.sleep(0.3)


def test_a_commit_made_while_nats_is_away_is_indexed_when_it_is_back(lonely, notes):
    with paused(pid_of(lonely, "nats")):
        refused = lonely.problem("build", "notes")
        commit = notes.commit({"a.md": "# Second\n"})
        reads = lonely.json("tree", "notes")
        until(lambda: lonely.json("status", "notes")["projects"][0]["tip"] == commit, 30)

    assert refused["code"] == "bus-unavailable"
    assert reads["children"][0]["title"] == "First"
    assert until(lambda: lonely.json("status", "notes")["projects"][0]["commit"] == commit)


def test_reads_say_that_postgres_is_away_and_work_again_when_it_is_back(lonely, notes):
    with paused(pid_of(lonely, "postgres")):
        refused = lonely.problem("lookup", "notes", "nothing-read-before")
        commit = notes.commit({"a.md": "# Third\n"})

    assert refused["code"] == "database-unavailable"
    assert until(lambda: lonely.run("tree", "notes").returncode == 0)
    assert until(lambda: lonely.json("status", "notes")["projects"][0]["commit"] == commit)


@pytest.mark.parametrize("name", ["nats", "postgres", "host"])
def test_a_killed_process_is_restarted_and_nothing_is_lost(lonely, notes, name):
    killed = pid_of(lonely, name)
    os.killpg(os.getpgid(killed), signal.SIGKILL)
    commit = notes.commit({"a.md": f"# After {name}\n"})

    assert until(lambda: pid_of(lonely, name) not in (killed, None))
    assert until(lambda: lonely.run("status", "notes").returncode == 0)
    assert until(lambda: lonely.json("status", "notes")["projects"][0]["commit"] == commit)


def test_a_damaged_mirror_is_made_again(lonely, notes):
    mirror = max(lonely.data.glob("mirrors/*.git"), key=lambda path: int(path.stem))
    commit = notes.commit({"a.md": "# Before\n", "b.md": "# Damaged\n"})
    assert until(lambda: lonely.json("status", "notes")["projects"][0]["commit"] == commit)
    for loose in mirror.glob("objects/??/*"):
        loose.chmod(0o644)
        data = loose.read_bytes()
        loose.unlink()
        loose.write_bytes(data[: len(data) // 2])

    lonely.run("build", "notes", "--whole")

    assert until(lambda: lonely.json("status", "notes")["projects"][0]["state"] == "ready", 60)
    assert lonely.json("grep", "notes", "Damaged")["matches"][0]["path"] == "b.md"
