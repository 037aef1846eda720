"""One instance for the session, started and spoken to as a user does."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from brain.testkit.ports import free_port_pair
from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder

BRAIN = (sys.executable, "-m", "brain.cli")
COMMAND_S = 120


class Instance:
    """A running instance and its command line."""

    def __init__(self, data: Path, environment: dict[str, str] | None = None):
        self.data = data
        self.environment = environment

    def run(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*BRAIN, "--data", str(self.data), *words],
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            env=self.environment,
            check=False,
        )

    def json(self, *words: str) -> dict:
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def lines(self, *words: str) -> list[dict]:
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def problem(self, *words: str) -> dict:
        done = self.run(*words, "--json")
        assert done.returncode == 1, done.stdout
        return json.loads(done.stderr)

    @property
    def reach(self) -> dict:
        return json.loads((self.data / "instance.json").read_text())


@contextlib.contextmanager
def started(data: Path, environment: dict[str, str] | None = None):
    instance = Instance(data, environment)
    done = instance.run("up", "--detach", "--port-base", str(free_port_pair()), "--json")
    assert done.returncode == 0, done.stderr + (data / "logs/brain.log").read_text()[-3000:]
    try:
        yield instance
    finally:
        instance.run("down")


@pytest.fixture(scope="session")
def instance():
    with scratch_folder() as folder, started(folder / "data") as running:
        yield running


@pytest.fixture(scope="session")
def handbook(instance):
    """A small repository, indexed as the project ``handbook``."""
    repository = TestRepository(instance.data.parent / "handbook.git")
    repository.commit(
        {
            "README.md": (
                "# Handbook\n\nHow we work.\n\nSee [rules](rules/review.md#r-01-prices).\n"
            ),
            "rules/review.md": (
                "---\ntitle: Review rules\nlabels: [quality]\nspace: ops\n---\n"
                "# Review rules\n\nEvery change is read.\n\n## R-01 Prices\n\nPrices agree.\n\n"
                "## R-02 Dates\n\nDates agree with R-01.\n"
            ),
            "restricted/pay.md": "# Pay\n\nsecret-word\n",
            "notes.txt": "not markdown",
        }
    )
    instance.json("project", "add", "handbook", "--repo", str(repository.path), "--wait")
    return repository
