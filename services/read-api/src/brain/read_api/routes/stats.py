"""Stats and gaps: what was asked, served, and not answered."""

from typing import Annotated

from litestar import get, post
from litestar.params import QueryParameter

from brain.query.gaps import DEFAULT_LIMIT, MOST, GapsAnswer, gaps_answer
from brain.query.stats import StatsAnswer, stats_answer
from brain.read_api.authentication import needs, principal_of
from brain.read_api.calling import AnyRequest, project_of
from brain.read_api.routes.context import ProjectParam
from brain.read_api.state import Api
from brain.store.audit import record_action
from brain.store.pool import transaction
from brain.store.served import reset_served

LimitParam = Annotated[int, QueryParameter(ge=1, le=MOST)]


@get("/api/projects/{project_id:str}/brain/stats", opt=needs(), tags=["search"])
async def portal_stats(api: Api, project_id: str) -> StatsAnswer:
    """Count what is indexed and what was served of it."""
    return await stats_answer(api.questions, project_id)


@post(
    "/api/projects/{project_id:str}/brain/stats/reset",
    opt=needs("project.brain.manage"),
    status_code=200,
    tags=["search"],
)
async def reset_stats(api: Api, request: AnyRequest, project_id: str) -> StatsAnswer:
    """Set the counters of what was served to nothing."""
    await api.questions.journal.write()
    pointer = await api.reader.pointer(project_id)
    async with transaction(api.pool) as connection:
        await reset_served(connection, pointer.source_id)
        await record_action(
            connection, principal_of(request).id, "brain.stats.reset", project_id, {}
        )
    return await stats_answer(api.questions, project_id)


@get("/api/projects/{project_id:str}/brain/gaps", opt=needs(), tags=["search"])
async def portal_gaps(api: Api, project_id: str, limit: LimitParam = DEFAULT_LIMIT) -> GapsAnswer:
    """List what was asked and not answered, the most asked first."""
    return await gaps_answer(api.questions, project_id, limit)


@get("/api/stats", opt=needs("member.read"), tags=["context"])
async def plain_stats(api: Api, request: AnyRequest, project: ProjectParam = "") -> StatsAnswer:
    """Count what is indexed and what was served of it."""
    return await stats_answer(api.questions, await project_of(api, request, project))


@get("/api/gaps", opt=needs("member.read"), tags=["context"])
async def plain_gaps(
    api: Api,
    request: AnyRequest,
    limit: LimitParam = DEFAULT_LIMIT,
    project: ProjectParam = "",
) -> GapsAnswer:
    """List what was asked and not answered, the most asked first."""
    return await gaps_answer(api.questions, await project_of(api, request, project), limit)
