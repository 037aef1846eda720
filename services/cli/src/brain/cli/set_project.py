"""A public set as a project: its documents committed to a repository and built as any other."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from typing_extensions import override

from brain.assessment.beir import DataSet
from brain.assessment.markdown_file import files_of, markdown_of
from brain.cli.errors import CliError
from brain.cli.free_ports import free_port_base
from brain.cli.instance import read_instance
from brain.cli.launch import launch_tied
from brain.cli.remote import ProblemError, Remote
from brain.cli.report import TerminalReporter
from brain.cli.settings import DEFAULT_PORT_BASE, Settings
from brain.cli.waiting import DEFAULT_WAIT_S, failed, is_settled, wait_until

_NOT_FOUND = 404


class EvaluationError(CliError):
    """There is nothing that could be evaluated."""

    code = "eval"


@contextmanager
def running_instance(settings: Settings) -> Iterator[Settings]:
    """Give settings that reach an instance: the one that runs, else one for the block alone."""
    if settings.url is not None or read_instance(settings.data) is not None:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as name:
        Path(name).chmod(0o711)  # Postgres may run as another account
        port = free_port_base(DEFAULT_PORT_BASE)
        own = settings._replace(data=Path(name) / "data", port_base=port)
        supervisor = launch_tied(own, _Quiet(as_json=False, detached=True))
        if supervisor is None:
            raise EvaluationError("No instance runs here, and none could be started.")
        try:
            yield own
        finally:
            supervisor.terminate()
            supervisor.wait()


@contextmanager
def set_project(
    remote: Remote, folder: Path, data: DataSet, mode: str, *, keep: bool
) -> Iterator[str]:
    """Index a set as a project and give its id; afterwards it is removed, unless it is kept.

    The id is made of the documents, so one that was kept is used again, vectors and all.

    Raises:
        EvaluationError: it could not be indexed.
    """
    with tempfile.TemporaryDirectory(prefix="brain-set-") as name:
        files = Path(name) / "files"
        digest = _write(files, data)
        project_id = f"eval-{_word(folder)}-{digest}"
        repository = Path(name) / "repository.git"
        _commit(files, repository)
        try:
            _add(remote, project_id, repository)
            wait_for_vectors(remote, project_id, mode)
            yield project_id
        finally:
            if not keep:
                remote.send("DELETE", f"/projects/{project_id}")


def wait_for_vectors(remote: Remote, project_id: str, mode: str) -> str:
    """Wait until a project is indexed and, where vectors count, none is pending.

    Returns:
        The indexed commit.

    Raises:
        EvaluationError: it is not indexed.
    """
    status = wait_until(remote, project_id, is_settled, DEFAULT_WAIT_S)
    if failed(status):
        raise EvaluationError(f"{project_id}: {status['error'] or status['reason']}")
    if mode != "bm25":
        status = wait_until(
            remote, project_id, lambda now: not now.get("vectorsPending", 0), DEFAULT_WAIT_S
        )
    return str(status["commit"])


def _add(remote: Remote, project_id: str, repository: Path) -> None:
    try:
        status = remote.get(f"/projects/{project_id}/brain")
    except ProblemError as problem:
        if problem.status != _NOT_FOUND:
            raise
        status = None
    if status is None or failed(status):
        body = {"id": project_id, "repo": str(repository), "branch": None}
        remote.send("POST", "/projects", body)


def _write(files: Path, data: DataSet) -> str:
    """Write every document and return eight digits that say what was written."""
    files.mkdir()
    digest = hashlib.sha256()
    for name, text in files_of(data.corpus).items():
        content = markdown_of(text).encode("utf-8", "replace")
        (files / name).write_bytes(content)
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:8]


def _commit(files: Path, repository: Path) -> None:
    # Imported here: libgit2 is no part of any other command.
    from brain.gitmirror.folder import commit_folder  # noqa: PLC0415

    commit_folder(files, repository)


def _word(folder: Path) -> str:
    kept = [letter if letter.isascii() and letter.isalnum() else "-" for letter in folder.name]
    return "".join(kept).lower().strip("-")[:40] or "set"


class _Quiet(TerminalReporter):
    """Says nothing of success: the command has an answer of its own."""

    @override
    def ready(self, *_: object, **__: object) -> None:
        """Keep quiet."""
