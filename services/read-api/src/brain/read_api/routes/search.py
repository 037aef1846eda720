"""Ranked search."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from brain.query.ranking import Filters, Mode
from brain.query.search import DEFAULT_K, MOST_K, SearchAnswer, SearchOptions
from brain.read_api.authentication import needs
from brain.read_api.calling import AnyRequest, calling
from brain.read_api.routes.reads import WaitParam
from brain.read_api.state import Api
from brain.read_api.waiting import wait_if_asked
from brain.read_api.words import separated

AskedParam = Annotated[str, QueryParameter(description="A question, in your own words.")]
ModeParam = Annotated[Mode, QueryParameter(description="`hybrid` asks all legs there are.")]
CountParam = Annotated[int, QueryParameter(ge=1, le=MOST_K, description="Hits.")]
ScopesParam = Annotated[
    str, QueryParameter(description="Names separated by commas; the usual ones if left out.")
]
LabelsParam = Annotated[
    str, QueryParameter(description="Separated by commas; a document has to have all of them.")
]


@get("/api/projects/{project_id:str}/brain/search", opt=needs(), tags=["search"])
async def portal_search(
    api: Api,
    request: AnyRequest,
    project_id: str,
    q: AskedParam,
    mode: ModeParam = "hybrid",
    k: CountParam = DEFAULT_K,
    scopes: ScopesParam = "",
    labels: LabelsParam = "",
    under: str = "",
    status: str = "",
    explain: bool = False,
    wait_for: WaitParam = None,
) -> SearchAnswer:
    """Find the passages that answer a question, best first, each with its exact lines."""
    await wait_if_asked(api, project_id, wait_for)
    filters = Filters(separated(scopes), under, separated(labels), status)
    options = SearchOptions(filters, mode, k, explain)
    return await api.questions.search(calling(request), project_id, q, options)
