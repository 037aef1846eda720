"""``brain status``, ``brain project`` and ``brain build``."""

import json
from pathlib import Path
from typing import Any

import click

from brain.cli.invocation import Invocation
from brain.cli.remote import ProblemError, Remote
from brain.cli.report import counted
from brain.cli.waiting import DEFAULT_WAIT_S, failed, has_met, is_settled, wait_until

wait_option = click.option(
    "--wait",
    type=float,
    metavar="[=SECONDS]",
    help=f"Wait until it is indexed, {DEFAULT_WAIT_S:.0f} seconds when none are given.",
)


@click.command()
@click.argument("project", required=False)
@click.pass_obj
def status(invocation: Invocation, project: str | None) -> None:
    """Show what runs and how each project is."""
    settings = invocation.settings()
    remote = Remote(settings)
    if project is None:
        projects = remote.get("/projects")["projects"]
    else:
        projects = [remote.get(f"/projects/{project}/brain")]
    services = _services(settings.data / "services.json") if settings.url is None else []
    answer = {"services": services, "projects": projects}
    invocation.answer(answer, _status_text(services, projects))


@click.group()
def project() -> None:
    """Add, list and remove projects."""


@project.command("add")
@click.argument("project_id", metavar="ID")
@click.option("--repo", required=True, metavar="URL_OR_PATH", help="The repository.")
@click.option("--branch", metavar="B", help="The branch to follow; the default branch otherwise.")
@wait_option
@click.pass_obj
def add(
    invocation: Invocation, project_id: str, repo: str, branch: str | None, wait: float | None
) -> int:
    """Add a project; its first build begins at once."""
    remote = Remote(invocation.settings())
    body = {"id": project_id, "repo": absolute(repo), "branch": branch}
    answer = remote.send("POST", "/projects", body)
    if wait is not None:
        answer = wait_until(remote, project_id, is_settled, wait)
    return _report(invocation, answer, waited=wait is not None)


@project.command("list")
@click.pass_obj
def list_projects(invocation: Invocation) -> None:
    """List the projects."""
    answer = Remote(invocation.settings()).get("/projects")
    invocation.answer(answer, "\n".join(map(_project_line, answer["projects"])) or "no projects")


@project.command("remove")
@click.argument("project_id", metavar="ID")
@click.pass_obj
def remove(invocation: Invocation, project_id: str) -> None:
    """Remove a project with its mirror and its index; the repository stays as it is."""
    answer = Remote(invocation.settings()).send("DELETE", f"/projects/{project_id}")
    answer |= {"state": "removed", "commit": ""}
    invocation.answer(answer, f"removed {project_id}")


@click.command()
@click.argument("project_id", metavar="ID")
@click.option("--whole", is_flag=True, help="Build whole, whatever changed.")
@wait_option
@click.pass_obj
def build(invocation: Invocation, project_id: str, wait: float | None, *, whole: bool) -> int:
    """Fetch the repository and build what it is at."""
    remote = Remote(invocation.settings())
    demand = _demand(remote, project_id, whole=whole)
    if wait is None:
        answer = remote.get(f"/projects/{project_id}/brain")
    else:
        wanted = demand["wantedSeq"]
        answer = wait_until(remote, project_id, lambda status: has_met(status, wanted), wait)
    return _report(invocation, answer, waited=wait is not None)


def absolute(repo: str) -> str:
    """Return a path as the instance can open it; an address as it is."""
    if "://" in repo or not Path(repo).expanduser().exists():
        return repo
    return str(Path(repo).expanduser().absolute())


def _demand(remote: Remote, project_id: str, *, whole: bool) -> dict[str, Any]:
    flag = "true" if whole else "false"
    return remote.send("POST", f"/projects/{project_id}/brain/build?whole={flag}")


def _report(invocation: Invocation, status: dict[str, Any], *, waited: bool) -> int:
    if waited and failed(status):
        raise ProblemError(
            409,
            {
                "code": status["reason"] or status["state"],
                "detail": f"{status['id']} is {status['state']}"
                + (f": {status['error']}" if status["error"] else ""),
            },
        )
    invocation.answer(status, _project_line(status))
    return 0


def _services(path: Path) -> list[dict[str, Any]]:
    try:
        services: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return services


def _status_text(services: list[dict[str, Any]], projects: list[dict[str, Any]]) -> str:
    lines = [f"  {each['name']:<10}{each['state']:<10}pid {each['pid']}" for each in services]
    lines += [""] if services and projects else []
    for each in projects:
        lines.append(f"  {_project_line(each)}")
        left_out = ", ".join(f"{count} {why}" for why, count in each["leftOut"].items())
        if left_out:
            lines.append(f"      left out: {left_out}")
        if each["vectorsPending"]:
            waiting = f"{each['vectorsPending']:,} passages are found by words alone so far"
            lines.append(f"      {waiting}: their vectors are made when nothing else is to do")
        if each["error"]:
            lines.append(f"      {each['error']}")
    return "\n".join(lines)


def _project_line(status: dict[str, Any]) -> str:
    counts = status["counts"]
    parts = []
    if status["commit"]:
        parts.append(f"{status['branch']} at {status['commit'][:12]}")
        parts.append(counted(counts.get("documents", 0), "document"))
    if status["behindBy"]:
        parts.append(f"{status['behindBy']} commits behind")
    if status["reason"]:
        parts.append(f"({status['reason']})")
    return f"{status['id']:<16} {status['state']:<10} {', '.join(parts)}".rstrip()
