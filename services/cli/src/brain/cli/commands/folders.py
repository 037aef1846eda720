"""``brain index``: a plain folder becomes a project."""

import re
from pathlib import Path

import click
from typing_extensions import override

from brain.cli.errors import CliError
from brain.cli.instance import make_data_folder, read_instance
from brain.cli.invocation import Invocation
from brain.cli.launch import launch_detached
from brain.cli.remote import Remote
from brain.cli.report import TerminalReporter, counted
from brain.cli.settings import Settings
from brain.cli.waiting import DEFAULT_WAIT_S, failed, has_met, is_settled, wait_until


class FolderIndexError(CliError):
    """The folder cannot be indexed."""

    code = "folder"


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--project", "project_id", metavar="ID", help="Its project; from its name if left out."
)
@click.pass_obj
def index(invocation: Invocation, directory: Path, project_id: str | None) -> None:
    """Index a plain folder of Markdown, starting Brain when it does not run.

    The folder's Markdown is committed to a private repository in the data folder; the folder
    itself is only read. Run it again to index what changed.
    """
    settings = invocation.settings()
    name = project_id or name_of(directory)
    commit, repository = commit_as_project(directory, name, settings.data)
    _ensure_running(settings, as_json=invocation.as_json)
    remote = Remote(invocation.settings())
    remote.send("POST", "/projects", {"id": name, "repo": str(repository), "branch": None})
    wait_until(remote, name, is_settled, DEFAULT_WAIT_S)
    demand = remote.send("POST", f"/projects/{name}/brain/build?whole=false")
    wanted = demand["wantedSeq"]
    status = wait_until(remote, name, lambda each: has_met(each, wanted), DEFAULT_WAIT_S)
    if failed(status):
        raise FolderIndexError(status["error"] or status["reason"])
    counts = status["counts"]
    text = f"{name}: {counted(counts['documents'], 'document')} indexed. Try: brain tree {name}"
    invocation.answer(status | {"commit": commit, "directory": str(directory.absolute())}, text)


def commit_as_project(directory: Path, project_id: str, data: Path) -> tuple[str, Path]:
    """Commit a folder's Markdown to the project's private repository in the data folder.

    Returns:
        The commit and the repository.

    Raises:
        FolderIndexError: the folder cannot be read, or the data folder not written.
    """
    # Imported here: libgit2 is no part of any other command.
    from brain.gitmirror.folder import commit_folder  # noqa: PLC0415

    make_data_folder(data)
    repository = data / "folders" / f"{project_id}.git"
    try:
        repository.parent.mkdir(mode=0o700, exist_ok=True)
        return commit_folder(directory.absolute(), repository), repository
    except OSError as error:
        raise FolderIndexError(str(error)) from error


def name_of(directory: Path) -> str:
    """Return a project id made from a folder's name."""
    name = re.sub(r"[^a-z0-9]+", "-", directory.absolute().name.lower()).strip("-")[:63]
    return name or "folder"


def _ensure_running(settings: Settings, *, as_json: bool) -> None:
    """Start an instance when none is named and none runs; it stays, as after ``brain up``."""
    if settings.url is None and read_instance(settings.data) is None:
        click.echo("Starting Brain; stop it with: brain down", err=True)
        reporter = _QuietReporter(as_json=as_json, detached=True)
        if launch_detached(settings, reporter) != 0:
            raise FolderIndexError("Brain could not be started.")


class _QuietReporter(TerminalReporter):
    """Says nothing of success: the command has an answer of its own."""

    @override
    def ready(self, *_: object, **__: object) -> None:
        """Keep quiet."""
