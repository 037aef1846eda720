"""Every service as a process of its own: they share servers and a mirror folder, nothing else."""

import contextlib
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from brain.store.migrate import migrate
from brain.testkit.ports import free_port_pair
from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder
from brain.testkit.service_process import service_process
from brain.testkit.waiting import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

TOKEN = "canary-api-token-0123456789"
DATABASE_PASSWORD = "canary-database-password"
GIT_TOKEN = "canary-git-token"
PROJECT = "canary-project"
MODULES = ("sync_watcher", "builder", "read_api", "mcp_gateway")


class Services:
    def __init__(self, processes, rest, mcp, secrets):
        self.processes = processes
        self.secrets = secrets
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.rest = httpx.Client(base_url=rest, headers=headers, timeout=60)
        accept = {"Accept": "application/json, text/event-stream"}
        self.mcp = httpx.Client(base_url=mcp, headers=headers | accept, timeout=60)

    def call(self, tool, **arguments):
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return self.mcp.post("/mcp", json=message).json()["result"]


def answers(client, target) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return client.get(target).status_code == 200
    return False


@pytest.fixture(scope="module")
def services(postgres, nats_url):
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        url = stack.enter_context(postgres.fresh_database())
        migrate(url)
        port = free_port_pair()
        environment = {
            "BRAIN_DATABASE_URL": re.sub("//([^:@]+)@", rf"//\1:{DATABASE_PASSWORD}@", url),
            "BRAIN_NATS_URL": nats_url,
            "BRAIN_MIRRORS": str(folder / "mirrors"),
            "BRAIN_ALLOW_PATHS": str(folder),
            "BRAIN_LOCAL_POLL_S": "0.3",
            "BRAIN_API_TOKEN": TOKEN,
            "BRAIN_GIT_HOST": "git.invalid",
            "BRAIN_GIT_TOKEN": GIT_TOKEN,
            "BRAIN_LOG_LEVEL": "DEBUG",
        }
        assert DATABASE_PASSWORD in environment["BRAIN_DATABASE_URL"]
        ports = {"read_api": port, "mcp_gateway": port + 1}
        processes = {
            module: stack.enter_context(
                service_process(
                    ("-m", f"brain.{module}"),
                    environment | {"BRAIN_HTTP_PORT": str(ports.get(module, 0))},
                    folder / f"{module}.log",
                )
            )
            for module in MODULES
        }
        secrets = [TOKEN, DATABASE_PASSWORD, GIT_TOKEN]
        secrets += [part for part in [urlsplit(nats_url).password] if part]
        running = Services(
            processes, f"http://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", secrets
        )
        eventually(lambda: answers(running.rest, "/readyz"), within_s=60)
        eventually(lambda: answers(running.mcp, "/readyz"), within_s=60)
        running.repository = TestRepository(folder / "notes.git")
        yield running
        running.rest.close()
        running.mcp.close()


def test_a_project_added_to_one_service_is_read_from_another(services):
    commit = services.repository.commit({"README.md": "# Notes\n\nA canary sings.\n"})
    body = {"id": PROJECT, "repo": str(services.repository.path)}

    assert services.rest.post("/api/projects", json=body).status_code == 201
    eventually(
        lambda: services.rest.get(f"/api/projects/{PROJECT}/brain").json()["commit"] == commit,
        within_s=60,
    )
    result = services.call("brain_read", projectId=PROJECT, node="README.md", waitFor=commit)

    assert result["structuredContent"]["commit"] == commit
    assert "A canary sings." in result["content"][0]["text"]


def test_a_new_commit_reaches_the_gateway(services):
    commit = services.repository.commit({"README.md": "# Notes\n\nIt sings again.\n"})

    result = services.call("brain_grep", projectId=PROJECT, text="sings", waitFor=commit)

    assert [match["text"] for match in result["structuredContent"]["matches"]] == [
        "It sings again."
    ]


def test_a_project_that_was_removed_is_gone_everywhere(services):
    repository = TestRepository(services.repository.path.with_name("gone.git"))
    repository.commit({"a.md": "# A\n"})
    body = {"id": "gone", "repo": str(repository.path)}
    services.rest.post("/api/projects", json=body)
    eventually(
        lambda: services.rest.get("/api/projects/gone/brain").json()["state"] == "ready",
        within_s=60,
    )
    mirrors = services.repository.path.parent / "mirrors"
    before = set(mirrors.glob("*.git"))

    assert services.rest.delete("/api/projects/gone").status_code == 200

    assert services.call("brain_tree", projectId="gone")["isError"] is True
    eventually(lambda: len(set(mirrors.glob("*.git"))) == len(before) - 1)


def test_metrics_name_no_project_and_no_secret(services):
    for client in (services.rest, services.mcp):
        text = client.get("/metrics").text
        assert "brain_requests_total" in text
        for word in (PROJECT, "README", "notes.git", *services.secrets):
            assert word not in text


def test_no_secret_stands_in_a_command_line(services):
    for process in services.processes.values():
        for pid in process.family():
            with contextlib.suppress(FileNotFoundError):
                command = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
                assert not any(secret in command for secret in services.secrets)


def test_errors_hold_no_secret(services):
    answers = [
        services.rest.get("/api/projects", headers={"Authorization": f"Bearer {TOKEN}x"}),
        services.rest.post(
            "/api/projects", json={"id": "x", "repo": f"https://a:{GIT_TOKEN}@git.invalid/x"}
        ),
        services.rest.get(f"/api/projects/{PROJECT}/brain/tree?node={TOKEN[:4]}"),
    ]

    for answer in answers:
        assert answer.status_code >= 400
        assert not any(secret in answer.text for secret in services.secrets)


def test_services_stop_in_order_within_half_a_minute(services):
    """The last one: it ends them."""
    for module in reversed(MODULES):
        process = services.processes[module]
        assert process.is_running
        assert process.stop() < 30
        assert process.exit_code == 0, module
        lines = process.log_lines()
        assert all(isinstance(line, dict) for line in lines)
        text = process.log.read_text()
        assert not any(secret in text for secret in services.secrets)
        assert json.dumps("crashed") not in text
