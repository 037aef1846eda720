"""``brain demo``: an instance with something in it, and one question answered from it."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
from typing_extensions import override

from brain.cli.agents import claude_line, cursor_json, vscode_json
from brain.cli.argv import WAIT_S
from brain.cli.commands.folders import commit_as_project, name_of
from brain.cli.commands.projects import absolute
from brain.cli.demo_text import demo_text
from brain.cli.errors import CliError
from brain.cli.free_ports import free_port_base
from brain.cli.instance import Instance, read_instance
from brain.cli.invocation import Invocation
from brain.cli.launch import launch_tied
from brain.cli.proof import Proof, answer, first_worth_asking, lines_in_git
from brain.cli.remote import ProblemError, Remote
from brain.cli.report import TerminalReporter
from brain.cli.settings import DEFAULT_PORT_BASE, Settings
from brain.cli.waiting import failed, has_met, is_settled, wait_until

DEFAULT_DATA = "~/.local/share/brain-demo"
QUESTION = "How long may an oxygen sensor show the same value in July?"
ANSWER_NODE = "domain/reading-rules.md#R-05"
_NAMESAKES = 50


class DemoError(CliError):
    """The demonstration has nothing to show."""

    code = "demo"


@click.command()
@click.option("--repo", metavar="URL_OR_PATH", help="Index this instead of the example.")
@click.option(
    "--port-base",
    type=click.IntRange(1, 65534),
    metavar="N",
    help=f"HTTP on port N, NATS on N+1; from {DEFAULT_PORT_BASE} on what is free if left out.",
)
@click.pass_obj
def demo(invocation: Invocation, repo: str | None, port_base: int | None) -> int:
    """Start an instance of its own, index something, and answer a question from it.

    Without --repo that is the example that ships with Brain. Everything is kept in
    ~/.local/share/brain-demo (or --data), so that the next time is quick. Ctrl-C stops it.
    """
    settings = _settings(invocation, port_base)
    subject = subject_of(repo) if repo else str(example_folder())
    reporter = _DemoReporter(as_json=invocation.as_json)
    supervisor = launch_tied(settings, reporter)
    if supervisor is None or reporter.instance is None:
        return 1
    try:
        content, text = _shown(settings, reporter, subject, is_example=repo is None)
        # Before a word is said: whoever reads it may end the demonstration at once.
        received = end_on_signals(supervisor)
        invocation.answer(content, text)
        code = supervisor.wait()
        return 130 if received[:1] == [signal.SIGINT] else code
    finally:
        if supervisor.poll() is None:
            supervisor.terminate()
            supervisor.wait()


def example_folder() -> Path:
    """Return the example that ships in the source tree.

    Raises:
        DemoError: this installation came without it.
    """
    for parent in Path(__file__).parents:
        if (parent / "examples" / "handbook").is_dir():
            return parent / "examples" / "handbook"
    raise DemoError("The example is not installed here; name a repository with --repo.")


def subject_of(repo: str) -> str:
    """Return an address as it is and a path as an absolute one.

    Raises:
        DemoError: it is a path, and nothing is there.
    """
    subject = absolute(repo)
    if ":" not in subject and not Path(subject).exists():
        raise DemoError(f"There is no repository or folder at {repo}.")
    return subject


def end_on_signals(supervisor: subprocess.Popen[bytes]) -> list[int]:
    """End the supervisor when a signal asks for it; returns the list of those that came."""
    received: list[int] = []

    def end(number: int, _frame: object) -> None:
        received.append(number)
        supervisor.terminate()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever started us with nohup wants us to survive a hang-up.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)
    return received


def project_of(remote: Remote, name: str, repo: str) -> str:
    """Add a project for a repository, or find the one it has; return its id.

    A namesake of another repository is left alone: a number is added to the name.
    """
    for number in range(1, _NAMESAKES):
        project_id = name if number == 1 else f"{name[:60]}-{number}"
        try:
            remote.send("POST", "/projects", {"id": project_id, "repo": repo, "branch": None})
        except ProblemError as error:
            if error.code != "project-exists":
                raise
        else:
            return project_id
    raise DemoError(f"There are too many projects named {name}.")


def is_plain_folder(subject: str) -> bool:
    """Tell whether a path is a folder that is no repository itself."""
    path = Path(subject)
    is_repository = (path / ".git").exists() or (path / "objects").is_dir()
    return path.is_dir() and not is_repository


def _settings(invocation: Invocation, port_base: int | None) -> Settings:
    """Settle the settings; the instance spoken to is the one started here."""
    chosen = None if port_base is None else str(port_base)
    settings = invocation.settings(default_data=DEFAULT_DATA, port_base=chosen)
    settings = settings._replace(url=None, token=None)
    is_chosen = port_base is not None or "BRAIN_PORT_BASE" in settings.environment
    if is_chosen or read_instance(settings.data) is not None:
        return settings
    return settings._replace(port_base=free_port_base(DEFAULT_PORT_BASE))


def _shown(
    settings: Settings, reporter: "_DemoReporter", subject: str, *, is_example: bool
) -> tuple[dict[str, Any], str]:
    """Index the subject and ask about it; returns what is said of it, for programs and people."""
    remote = Remote(settings)
    status = _index(remote, settings, subject)
    proof = _prove(remote, status["id"], is_example=is_example)
    repository = _repository(settings, status, proof)
    instance = read_instance(settings.data)
    if instance is None:
        raise DemoError("Brain ended while the demonstration was being prepared.")
    content = _content(instance, status, proof, repository)
    text = demo_text(instance, status, proof, repository, already=reporter.already)
    return content, text


def _index(remote: Remote, settings: Settings, subject: str) -> dict[str, Any]:
    """Index a folder, a repository or an address; return the project's status."""
    repo = subject
    name = _name(subject)
    if is_plain_folder(subject):
        repo = str(commit_as_project(Path(subject), name, settings.data)[1])
    print(f"  Indexing {subject}", file=sys.stderr, flush=True)
    known = {each["id"] for each in remote.get("/projects")["projects"]}
    project_id = project_of(remote, name, repo)
    status = wait_until(remote, project_id, is_settled, WAIT_S)
    if project_id in known and not failed(status):
        demand = remote.send("POST", f"/projects/{project_id}/brain/build?whole=false")
        wanted = demand["wantedSeq"]
        status = wait_until(remote, project_id, lambda each: has_met(each, wanted), WAIT_S)
    if failed(status):
        why = status["error"] or status["reason"] or status["state"]
        raise DemoError(f"{subject} could not be indexed: {why}")
    return status


def _name(subject: str) -> str:
    last = re.split(r"[/:]", subject.rstrip("/"))[-1].removesuffix(".git")
    return name_of(Path(last))


def _prove(remote: Remote, project_id: str, *, is_example: bool) -> Proof | None:
    if is_example:
        return answer(remote, project_id, QUESTION, ANSWER_NODE)
    node = first_worth_asking(remote, project_id)
    if node is None:
        return None
    return answer(remote, project_id, f"What does it say under “{node['title']}”?", node["id"])


def _repository(settings: Settings, status: dict[str, Any], proof: Proof | None) -> Path | None:
    """Return a repository in which Git itself shows the cited lines; None when none does."""
    if proof is None:
        return None
    mirrors = sorted((settings.data / "mirrors").glob("*.git"))
    local = [Path(status["remote"])] if Path(status["remote"]).is_dir() else []
    for repository in [*local, *mirrors]:
        if lines_in_git(repository, proof) == proof.lines:
            return repository
    return None


def _content(
    instance: Instance, status: dict[str, Any], proof: Proof | None, repository: Path | None
) -> dict[str, Any]:
    answered = None
    if proof is not None:
        answered = {
            "question": proof.question,
            "trail": proof.trail,
            "lines": proof.lines,
            "citation": {
                "path": proof.path,
                "lineStart": proof.line_start,
                "lineEnd": proof.line_end,
                "commit": proof.commit,
            },
            "sameInGit": repository is not None,
        }
    return instance.summary() | {
        "docsUrl": f"{instance.rest_url}/docs",
        "project": status["id"],
        "commit": status["commit"],
        "counts": status["counts"],
        "answered": answered,
        "claude": claude_line(instance.mcp_url, instance.token),
        "cursor": cursor_json(instance.mcp_url, instance.token),
        "vscode": vscode_json(instance.mcp_url, instance.token),
    }


class _DemoReporter(TerminalReporter):
    """Shows the steps and keeps the instance: the command says the rest itself."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__(as_json=as_json, detached=False)
        self.instance: Instance | None = None
        self.already = False

    @override
    def ready(self, instance: Instance, *, already: bool) -> None:
        """Keep where it is reached."""
        self.instance = instance
        self.already = already
