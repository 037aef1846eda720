"""Context: passages, whole documents, scopes and feedback, in their own spelling."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import QueryParameter

from brain.query.caller import Caller
from brain.query.context import ContextAnswer, ContextOptions
from brain.query.scope_list import ScopesAnswer, scopes_answer
from brain.query.search import MOST_K
from brain.query.usage import UsageAnswer, report_usage
from brain.query.whole_document import DocumentAnswer, document_answer
from brain.read_api.authentication import needs
from brain.read_api.calling import AnyRequest, calling, project_of
from brain.read_api.routes.search import AskedParam
from brain.read_api.state import Api
from brain.read_api.words import separated

ProjectParam = Annotated[
    str, QueryParameter(description="May be left out when the token sees one project.")
]
ScopesParam = Annotated[
    str, QueryParameter(description="Only these, separated by commas; * is all.")
]
PathsParam = Annotated[
    str, QueryParameter(description="Code paths that the task touches, separated by commas.")
]


class UsageReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which sections of a bundle were useful."""

    bundle_id: str
    useful_chunk_ids: list[str] = msgspec.field(default_factory=list[str])
    client: str = ""
    #: May be left out when the token sees one project.
    project: str = ""


@get("/api/search", opt=needs("member.read"), tags=["context"])
async def plain_search(
    api: Api,
    request: AnyRequest,
    q: AskedParam,
    max_tokens: int = 2_000,
    top_k: Annotated[int, QueryParameter(ge=1, le=MOST_K)] = 8,
    scopes: ScopesParam = "",
    paths: PathsParam = "",
    project: ProjectParam = "",
) -> ContextAnswer:
    """Find the passages that answer a question and give their text within a token budget."""
    project_id = await project_of(api, request, project)
    options = ContextOptions(max_tokens, separated(scopes), top_k, separated(paths))
    return await api.questions.context(calling(request), project_id, q, options)


@get("/api/documents/{doc_path:path}", opt=needs("member.read"), tags=["context"])
async def plain_document(
    api: Api,
    request: AnyRequest,
    doc_path: str,
    scopes: ScopesParam = "",
    project: ProjectParam = "",
) -> DocumentAnswer:
    """Give a whole document with its links and backlinks; `/api/docs/PATH.md` is the same."""
    project_id = await project_of(api, request, project)
    return await document_answer(api.reader, project_id, doc_path.lstrip("/"), separated(scopes))


@get("/api/scopes", opt=needs("member.read"), tags=["context"])
async def plain_scopes(api: Api, request: AnyRequest, project: ProjectParam = "") -> ScopesAnswer:
    """List the scopes with their documents."""
    return await scopes_answer(api.reader, await project_of(api, request, project))


@get("/api/projects/{project_id:str}/brain/scopes", opt=needs(), tags=["search"])
async def portal_scopes(api: Api, project_id: str) -> ScopesAnswer:
    """List the scopes with their documents."""
    return await scopes_answer(api.reader, project_id)


@post("/api/usage", opt=needs("member.read"), status_code=200, tags=["context"])
async def plain_usage(api: Api, request: AnyRequest, data: UsageReport) -> UsageAnswer:
    """Say which sections of a bundle were useful; those not named were not."""
    project_id = await project_of(api, request, data.project)
    caller = calling(request)
    if data.client:
        caller = Caller(caller.surface, data.client[:100])
    return await report_usage(
        api.questions, project_id, data.bundle_id, data.useful_chunk_ids, caller
    )
