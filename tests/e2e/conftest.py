"""One instance for the session, started and spoken to as a user does."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from brain.testkit.ports import free_port_pair
from brain.testkit.raw_http import raw_request
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


PROBLEM = "application/problem+json"
#: Every code a problem may have.
CODES = {
    "bad-branch",
    "bad-commit",
    "no-such-commit",
    "bad-host",
    "bad-remote",
    "bad-request",
    "budget-too-small",
    "bus-unavailable",
    "forbidden",
    "method-not-allowed",
    "no-such-bundle",
    "no-such-node",
    "not-found",
    "scope-mismatch",
    "too-large",
    "unauthenticated",
    "unsupported-media-type",
    "uri-too-long",
}


@pytest.fixture(scope="module")
def ask(instance, handbook):
    """Send a request with the administrator's token and check what every answer must be."""
    reach = instance.reach

    def ask(method, target, headers=None, body=b"", kind=PROBLEM):
        sent = {"Authorization": f"Bearer {reach['token']}", **(headers or {})}
        answer = raw_request(reach["restUrl"], method, target, sent, body)
        page = answer.headers.get("content-type") == kind != PROBLEM
        if not (page and answer.status == 404):
            check(answer, method, (reach["token"], str(instance.data)))
        return answer

    return ask


def check(answer, method, secrets):
    assert answer.status < 500 or answer.status in (503, 504), answer
    text = answer.body.decode()
    # The address of a project's repository is shown to whoever sees the project.
    told = secrets if answer.status >= 400 else secrets[:1]
    for secret in (*told, "Traceback", ".py", "site-packages", "psycopg", "secret-in-url"):
        assert secret not in text, (secret, text[:300])
    assert answer.headers["x-content-type-options"] == "nosniff"
    if answer.status >= 400 and method != "HEAD":
        assert answer.headers["content-type"] == PROBLEM, answer
        problem = json.loads(text)
        assert problem["code"] in CODES, problem
        assert problem["status"] == answer.status
        assert problem["type"]
        assert problem["title"]
