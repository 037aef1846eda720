"""Ranked search."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from brain.query.ranking import Filters, Mode
from brain.query.search import MOST_K, SearchAnswer, SearchOptions
from brain.read_api.authentication import needs
from brain.read_api.calling import AnyRequest, calling
from brain.read_api.routes.reads import WaitParam
from brain.read_api.state import Api
from brain.read_api.waiting import wait_if_asked

AskedParam = Annotated[str, QueryParameter(name="q", description="A question, in your own words.")]
ModeParam = Annotated[Mode, QueryParameter(description="`hybrid` asks all legs there are.")]
CountParam = Annotated[int, QueryParameter(name="k", ge=1, le=MOST_K, description="Hits.")]
ScopesParam = Annotated[
    list[str] | None,
    QueryParameter(name="scope", description="May be repeated; see `scopes` of the project."),
]
LabelsParam = Annotated[
    list[str] | None,
    QueryParameter(name="label", description="May be repeated; all must be there."),
]


@get("/api/projects/{project_id:str}/brain/search", opt=needs(), tags=["search"])
async def portal_search(
    api: Api,
    request: AnyRequest,
    project_id: str,
    asked: AskedParam,
    mode: ModeParam = "hybrid",
    count: CountParam = 8,
    scopes: ScopesParam = None,
    labels: LabelsParam = None,
    under: str = "",
    status: str = "",
    explain: bool = False,
    wait_for: WaitParam = None,
) -> SearchAnswer:
    """Find the passages that answer a question, best first, each with its exact lines."""
    await wait_if_asked(api, project_id, wait_for)
    filters = Filters(tuple(scopes or ()), under, tuple(labels or ()), status)
    options = SearchOptions(filters, mode, count, explain)
    return await api.questions.search(calling(request), project_id, asked, options)
