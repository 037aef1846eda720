"""The product as its users have it: an instance with a data folder of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from brain.embedded.process import Program, running
from brain.evaluation.bench.load import Target
from brain.evaluation.bench.repository import Repository
from brain.evaluation.bench.setting import Setting
from brain.testkit.ports import free_port_pair

PYTHON = (sys.executable, "-P", "-m")
_READY_S = 180.0
_BUILT_S = 1_800
#: Nothing moves but what the bench pushes, and it asks for a look itself.
_NO_POLLING = {"BRAIN_LOCAL_POLL_S": "86400"}


class ProductError(Exception):
    """An instance did not do what it was told."""


class Product:
    """A running instance.

    Args:
        data: its data folder.
        setting: of the run.
        pid: of its supervisor.
    """

    def __init__(self, data: Path, setting: Setting, pid: int) -> None:
        self.data = data
        self.pid = pid
        self._setting = setting
        reach = json.loads((data / "instance.json").read_text(encoding="utf-8"))
        self.token = str(reach["token"])
        self.port = httpx.URL(reach["restUrl"]).port or 0
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}",
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=120,
        )

    @property
    def target(self) -> Target:
        """The instance as load is put on it."""
        return Target(self.port, self.token)

    @property
    def nats_url(self) -> str:
        """Where its messages can be heard, with the password in it."""
        password = (self.data / "nats" / "password").read_text(encoding="utf-8").strip()
        return f"nats://brain:{password}@127.0.0.1:{self.port + 1}"

    def add(self, project_id: str, repository: Repository) -> None:
        """Add a repository and wait until it is indexed."""
        path = str(repository.path)
        self.command("project", "add", project_id, "--repo", path, f"--wait={_BUILT_S}")

    def command(self, *words: str) -> dict[str, Any]:
        """Run a command of the command line and return what it says.

        Raises:
            ProductError: it failed.
        """
        done = subprocess.run(
            [*PYTHON, "brain.cli", "--data", str(self.data), *words, "--json"],
            capture_output=True,
            text=True,
            env=self._setting.environment,
            check=False,
        )
        if done.returncode != 0:
            raise ProductError(f"brain {words[0]}: {done.stderr.strip()[-300:]}")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def get(self, path: str, **parameters: str | int) -> Any:  # noqa: ANN401 - any JSON
        """Get something from the REST interface.

        Raises:
            ProductError: the answer is not 200.
        """
        return _content(self.client.get(path, params=parameters))

    def post(self, path: str, content: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
        """Post an object to the REST interface.

        Raises:
            ProductError: the answer is not 200.
        """
        return _content(self.client.post(path, json=content))


def _content(answer: httpx.Response) -> Any:  # noqa: ANN401 - any JSON
    if answer.status_code != httpx.codes.OK:
        asked = f"{answer.request.method} {answer.request.url.path}"
        raise ProductError(f"{asked}: {answer.status_code} {answer.text[:300]}")
    return answer.json()


@contextmanager
def up(setting: Setting, name: str, supervisor: Sequence[str] = ()) -> Iterator[Product]:
    """Run an instance for the length of a block.

    Args:
        setting: of the run.
        name: of its data folder.
        supervisor: another command line than ``brain up``; data folder and port are added.
    """
    data = setting.folder / name
    port = str(free_port_pair())
    real = (*PYTHON, "brain.cli", "--data", str(data), "up", "--port-base", port)
    program = Program(
        name="brain",
        argv=(*supervisor, str(data), port) if supervisor else real,
        environment={**setting.environment, **_NO_POLLING},
        is_ready=lambda _: (data / "instance.json").exists(),
        folder=str(setting.folder),
    )
    with running(program, setting.folder / f"{name}.log", timeout_s=_READY_S) as process:
        product = Product(data, setting, process.pid)
        try:
            yield product
        finally:
            product.client.close()
            product.command("down")
