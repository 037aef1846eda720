"""Projects: add, list, show, turn on and off, build, remove."""

import re
from typing import Annotated, Any

import msgspec
from litestar import Request, delete, get, post, put
from litestar.params import QueryParameter

from brain.events.broker import BusUnavailableError, wake_builders
from brain.events.look import LookReply, nudge_look, request_look
from brain.gitmirror.branch_name import checked_branch
from brain.gitmirror.remote import parse_remote
from brain.query.errors import BadRequestError, TurnedOffError
from brain.query.status import ProjectStatus, all_statuses, project_status
from brain.read_api.authentication import needs, principal_of
from brain.read_api.state import Api
from brain.store.audit import record_action
from brain.store.demand import want_build
from brain.store.pool import transaction
from brain.store.sources import (
    SourceRow,
    add_project,
    find_project_source,
    remove_project,
    set_followed_branch,
)

_PROJECT_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
#: A build command waits this long for the remote before it says it is slow.
_LOOK_S = 60.0


class NewProject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A project to add."""

    id: str
    #: An https or ssh address, or the absolute path of a local repository.
    repo: str
    #: None follows the repository's default branch wherever it moves.
    branch: str | None = None


class BrainSwitch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the index is on, and which branch it follows."""

    enabled: bool
    branch: str | msgspec.UnsetType | None = msgspec.UNSET


class BuildDemand(msgspec.Struct, frozen=True, rename="camel"):
    """What was demanded: wait until ``metSeq`` of the status reaches ``wantedSeq``."""

    id: str
    tip: str
    wanted_seq: int


class ProjectList(msgspec.Struct, frozen=True):
    """The projects the caller sees."""

    projects: list[ProjectStatus]


class Removed(msgspec.Struct, frozen=True):
    """A project that is gone."""

    id: str
    removed: bool = True


AnyRequest = Request[Any, Any, Any]


@get("/api/projects", opt=needs(), tags=["projects"])
async def list_projects(api: Api, request: AnyRequest) -> ProjectList:
    """List the projects the token sees, ordered by id."""
    principal = principal_of(request)
    statuses = await all_statuses(api.reader, api.pool)
    return ProjectList([each for each in statuses if principal.sees(each.id)])


@post("/api/projects", opt=needs("admin"), tags=["projects"])
async def create_project(api: Api, request: AnyRequest, data: NewProject) -> ProjectStatus:
    """Add a project; a fetch and a first build follow. Repeating it changes nothing."""
    if not _PROJECT_ID.fullmatch(data.id):
        raise BadRequestError("id", "must be a-z, 0-9 and hyphens, 63 characters at most.")
    parse_remote(data.repo)
    if data.branch is not None:
        checked_branch(data.branch)
    async with transaction(api.pool) as connection:
        source = await add_project(connection, data.id, data.repo, data.branch)
        await record_action(
            connection, principal_of(request).id, "project.add", data.id, {"branch": data.branch}
        )
    await _look_soon(api, source)
    await api.reader.learn()
    return await project_status(api.reader, api.pool, data.id)


@delete("/api/projects/{project_id:str}", opt=needs("admin"), status_code=200, tags=["projects"])
async def delete_project(api: Api, request: AnyRequest, project_id: str) -> Removed:
    """Remove a project with its mirror, rows and caches; the audit row stays."""
    async with transaction(api.pool) as connection:
        await remove_project(connection, project_id)
        await record_action(connection, principal_of(request).id, "project.remove", project_id, {})
    await api.reader.learn()
    return Removed(project_id)


@get("/api/projects/{project_id:str}/brain", opt=needs(), tags=["projects"])
async def show_brain(api: Api, project_id: str) -> ProjectStatus:
    """Show the state of a project's index."""
    return await project_status(api.reader, api.pool, project_id)


@put("/api/projects/{project_id:str}/brain", opt=needs("project.brain.manage"), tags=["projects"])
async def switch_brain(
    api: Api, request: AnyRequest, project_id: str, data: BrainSwitch
) -> ProjectStatus:
    """Turn the index on or off, or choose its branch; turning on queues a build."""
    branch = None if data.branch is msgspec.UNSET else data.branch
    if branch is not None:
        checked_branch(branch)
    async with transaction(api.pool) as connection:
        source = await find_project_source(connection, project_id)
        followed = source.followed_branch if data.branch is msgspec.UNSET else branch
        await set_followed_branch(connection, source, enabled=data.enabled, branch=followed)
        if data.enabled and source.tip and not source.enabled:
            await want_build(connection, source.id, whole=False)
        await record_action(
            connection,
            principal_of(request).id,
            "brain.configure",
            project_id,
            {"enabled": data.enabled, "branch": followed},
        )
    if data.enabled:
        await _look_soon(api, source)
        await _wake(api, source)
    await api.reader.learn()
    return await project_status(api.reader, api.pool, project_id)


@post(
    "/api/projects/{project_id:str}/brain/rebuild",
    opt=needs("project.brain.manage"),
    status_code=202,
    tags=["projects"],
)
async def rebuild(api: Api, request: AnyRequest, project_id: str) -> BuildDemand:
    """Demand a whole build of the branch's tip, even when it did not move."""
    return await _demand(api, request, project_id, whole=True)


@post(
    "/api/projects/{project_id:str}/brain/build",
    opt=needs("project.brain.manage"),
    status_code=202,
    tags=["projects"],
)
async def build(
    api: Api,
    request: AnyRequest,
    project_id: str,
    whole: Annotated[bool, QueryParameter(description="Build whole, whatever changed.")] = False,
) -> BuildDemand:
    """Look at the remote now, then demand a build of what it is at."""
    return await _demand(api, request, project_id, whole=whole)


async def _demand(api: Api, request: AnyRequest, project_id: str, *, whole: bool) -> BuildDemand:
    async with transaction(api.pool) as connection:
        source = await find_project_source(connection, project_id)
    if not source.enabled:
        raise TurnedOffError(project_id)
    reply = await request_look(api.broker, source.id, _LOOK_S)
    _require_tip(reply)
    async with transaction(api.pool) as connection:
        wanted = await want_build(connection, source.id, whole=whole)
        action = "brain.rebuild" if whole else "brain.build"
        await record_action(connection, principal_of(request).id, action, project_id, {})
    await _wake(api, source)
    return BuildDemand(project_id, reply.commit, wanted)


def _require_tip(reply: LookReply) -> None:
    """Refuse to demand a build of what cannot be read."""
    if not reply.commit:
        raise UnreadableRemoteError(reply.reason, reply.error)


class UnreadableRemoteError(BadRequestError):
    """The repository cannot be read."""

    def __init__(self, reason: str, error: str) -> None:
        super().__init__("repo", error or reason)
        self.reason = reason


async def _wake(api: Api, source: SourceRow) -> None:
    """Wake a builder; when the bus is away the reconcile does it later."""
    try:
        await wake_builders(api.broker, source.project_id, source.id)
    except BusUnavailableError:
        return


async def _look_soon(api: Api, source: SourceRow) -> None:
    """Have the watcher look without waiting for it: its poll would find the project anyway."""
    await nudge_look(api.broker, source.id)
