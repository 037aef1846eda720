"""``brain eval``: how well search finds what is known to answer."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from brain.assessment.beir import read_beir
from brain.assessment.errors import AssessmentError
from brain.assessment.golden import read_golden
from brain.assessment.measures import MEASURES
from brain.assessment.report import Answered, differences, report
from brain.cli.asking import Project
from brain.cli.invocation import Invocation
from brain.cli.remote import Remote
from brain.cli.set_project import (
    EvaluationError,
    running_instance,
    set_project,
    wait_for_vectors,
)
from brain.cli.settings import Settings

_PATH = click.Path(exists=True, path_type=Path)


@click.command("eval")
@click.option("--golden", "files", type=_PATH, multiple=True, help="Golden file; may be repeated.")
@click.option("--beir", "folder", type=_PATH, help="Folder of a public set.")
@click.option("--project", "project_id", metavar="ID", help="Asked; the only one if left out.")
@click.option("--mode", type=click.Choice(["bm25", "vector", "hybrid"]), default="hybrid")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N questions.")
@click.option("--keep", is_flag=True, help="Leave the public set's project where it is.")
@click.option("--answers", "with_answers", is_flag=True, help="Tell every question's hits.")
@click.pass_obj
def evaluate(invocation: Invocation, /, **options: Any) -> int:  # noqa: ANN401 - Click's
    """Ask questions whose answers are known, and say how well search finds them.

    With --golden they are asked of a project; with --beir of the set's own documents, indexed for
    the run. In vector and hybrid modes it waits until every vector is there. Exit 1 when a
    question that must be answered is not.
    """
    if bool(options["files"]) == bool(options["folder"]):
        raise click.UsageError("Give either --golden or --beir.")
    settings = invocation.settings()
    try:
        if options["files"]:
            name, project, answers = _ask_golden(settings, options)
        else:
            name, project, answers = _ask_set(settings, options)
    except AssessmentError as error:
        raise EvaluationError(str(error)) from error
    first = f"-first-{options['limit']}" if options["limit"] else ""
    kept = settings.data / "eval" / f"{name}-{options['mode']}{first}.json"
    told = _told(kept, project, answers)
    if options["with_answers"]:
        told["answers"] = [_answer(each) for each in answers]
    invocation.answer(told, _text(told))
    return 1 if told["failed"] else 0


_Asked = tuple[str, Project, list[Answered]]


def _ask_golden(settings: Settings, options: dict[str, Any]) -> _Asked:
    goldens = [read_golden(path) for path in options["files"]]
    remote = Remote(settings)
    project_id = options["project_id"] or _only_project(remote)
    wait_for_vectors(remote, project_id, options["mode"])
    project = Project(remote, project_id, options["mode"])
    answers: list[Answered] = []
    for golden in goldens:
        left = options["limit"] and options["limit"] - len(answers)
        answers += project.ask_golden(golden, left)
    stems = "+".join(path.stem for path in options["files"])
    return f"{project_id}-{stems}"[:150], project, answers


def _ask_set(settings: Settings, options: dict[str, Any]) -> _Asked:
    folder, mode = options["folder"].absolute(), options["mode"]
    data = read_beir(folder)
    with running_instance(settings) as reach:
        remote = Remote(reach)
        with set_project(remote, folder, data, mode, keep=options["keep"]) as project_id:
            project = Project(remote, project_id, mode)
            return project_id, project, list(project.ask_set(data, options["limit"]))


def _only_project(remote: Remote) -> str:
    projects = [each["id"] for each in remote.get("/projects")["projects"]]
    if len(projects) != 1:
        there = ", ".join(projects) or "none"
        raise EvaluationError(f"Name the project with --project; there are: {there}.")
    return str(projects[0])


def _told(path: Path, project: Project, answers: Sequence[Answered]) -> dict[str, Any]:
    """Make the report, compare it with the last one of its kind, and keep it for the next."""
    told = report(project.mode, answers)
    told |= {"commits": list(project.commits), "warnings": list(project.warnings)}
    told["previous"] = _compared(path, told)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {key: told[key] for key in ("mode", "questions", "overall", "commits")}
    kept["at"] = datetime.now(UTC).isoformat(timespec="seconds")
    path.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    return told


def _compared(path: Path, told: dict[str, Any]) -> dict[str, Any] | None:
    try:
        last = json.loads(path.read_text(encoding="utf-8"))
        return {
            "at": last["at"],
            "commits": last["commits"],
            "overall": last["overall"],
            "difference": differences(told["overall"], last["overall"]),
        }
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _answer(each: Answered) -> dict[str, Any]:
    content: dict[str, Any] = {
        "id": each.id,
        "type": each.type,
        "question": each.question,
        "ranks": msgspec.to_builtins(each.outcome.ranks) if each.outcome else [],
        "hits": list(each.nodes),
        "confidence": each.confidence,
        "isLikely": each.is_likely,
    }
    return content


def _text(told: dict[str, Any]) -> str:
    lines = [f"{told['mode']}, {told['questions']} questions", ""]
    difference = (told["previous"] or {}).get("difference", {})
    for name, value in told["overall"].items():
        low, high = told["intervals"][name]
        rose = f"  {difference[name]:+.3f} since the last run" if difference.get(name) else ""
        lines.append(f"  {name:<10} {value:.3f}  ({low:.3f} to {high:.3f}){rose}")
    lines += [_type_text(kind, group) for kind, group in told["byType"].items()]
    cost = ", ".join(f"{depth[5:]} hits {tokens}" for depth, tokens in told["tokens"].items())
    lines += [f"  tokens a question: {cost}", *told["warnings"]]
    if told["failed"]:
        lines.append(f"  must be answered and is not: {', '.join(told['failed'])}")
    return "\n".join(lines)


def _type_text(kind: str, group: dict[str, float]) -> str:
    figures = "  ".join(f"{group[name]:.3f}" for name in MEASURES if name in group)
    told_of = figures or f"{group['answeredAsKnown']:.3f} answered as if known"
    return f"  {kind:<16} {group['questions']:>4}  {told_of}"
