"""What needs the history or all links: changes, citations, broken links, backlinks."""

import re
from typing import Annotated

from litestar import get
from litestar.params import Parameter, QueryParameter

from brain.query.backlinks import MOST_SHOWN, BacklinksAnswer, backlinks_answer
from brain.query.broken import MOST_CAUSES, BrokenAnswer, broken_answer
from brain.query.changes import ChangesAnswer, changes_answer
from brain.query.cite import CiteAnswer, cite_answer
from brain.query.errors import BadRequestError
from brain.read_api.authentication import needs
from brain.read_api.routes.reads import NodeParam, ProjectParam, WaitParam
from brain.read_api.state import Api
from brain.read_api.waiting import wait_if_asked

_LINES = re.compile(r"([1-9][0-9]{0,7})(?:-([1-9][0-9]{0,7}))?")

SinceParam = Annotated[str, Parameter(description="An earlier commit, 7 to 64 hex digits.")]
PathParam = Annotated[str, QueryParameter(name="path", description="Of the document, back then.")]
LinesParam = Annotated[str, Parameter(description="`12` or `12-20`.")]
CommitParam = Annotated[str, Parameter(description="Of the citation, 7 to 64 hex digits.")]
OffsetParam = Annotated[int, Parameter(ge=0)]
LimitParam = Annotated[int, Parameter(ge=1, le=MOST_SHOWN)]
CausesFromParam = Annotated[
    int | None,
    QueryParameter(name="causesFrom", ge=0, description="Explain links from this one on."),
]
CausesParam = Annotated[int, Parameter(ge=1, le=MOST_CAUSES, description="How many to explain.")]


@get("/api/projects/{project_id:str}/brain/changes", opt=needs(), tags=["reads"])
async def portal_changes(
    api: Api, project_id: str, since: SinceParam, under: str = "", wait_for: WaitParam = None
) -> ChangesAnswer:
    """Say what changed from an earlier commit to the indexed one."""
    await wait_if_asked(api, project_id, wait_for)
    return await changes_answer(api.reader, project_id, since, under)


@get("/api/member/v1/brain/changes", opt=needs("member.read"), tags=["member"])
async def member_changes(
    api: Api,
    project_id: ProjectParam,
    since: SinceParam,
    under: str = "",
    wait_for: WaitParam = None,
) -> ChangesAnswer:
    """Say what changed from an earlier commit to the indexed one."""
    await wait_if_asked(api, project_id, wait_for)
    return await changes_answer(api.reader, project_id, since, under)


@get("/api/projects/{project_id:str}/brain/cite", opt=needs(), tags=["reads"])
async def portal_cite(
    api: Api,
    project_id: str,
    cited_path: PathParam,
    lines: LinesParam,
    commit: CommitParam,
    wait_for: WaitParam = None,
) -> CiteAnswer:
    """Say where the lines of an old citation are now."""
    await wait_if_asked(api, project_id, wait_for)
    return await cite_answer(api.reader, project_id, cited_path, parse_lines(lines), commit)


@get("/api/member/v1/brain/cite", opt=needs("member.read"), tags=["member"])
async def member_cite(
    api: Api,
    project_id: ProjectParam,
    cited_path: PathParam,
    lines: LinesParam,
    commit: CommitParam,
    wait_for: WaitParam = None,
) -> CiteAnswer:
    """Say where the lines of an old citation are now."""
    await wait_if_asked(api, project_id, wait_for)
    return await cite_answer(api.reader, project_id, cited_path, parse_lines(lines), commit)


@get("/api/projects/{project_id:str}/brain/broken", opt=needs(), tags=["reads"])
async def portal_broken(
    api: Api,
    project_id: str,
    causes_from: CausesFromParam = None,
    causes: CausesParam = MOST_CAUSES,
    wait_for: WaitParam = None,
) -> BrokenAnswer:
    """List links that lead nowhere; on request, what broke a window of them."""
    await wait_if_asked(api, project_id, wait_for)
    return await broken_answer(api.reader, project_id, causes_from=causes_from, causes=causes)


@get("/api/member/v1/brain/broken", opt=needs("member.read"), tags=["member"])
async def member_broken(
    api: Api,
    project_id: ProjectParam,
    causes_from: CausesFromParam = None,
    causes: CausesParam = MOST_CAUSES,
    wait_for: WaitParam = None,
) -> BrokenAnswer:
    """List links that lead nowhere; on request, what broke a window of them."""
    await wait_if_asked(api, project_id, wait_for)
    return await broken_answer(api.reader, project_id, causes_from=causes_from, causes=causes)


@get("/api/projects/{project_id:str}/brain/backlinks", opt=needs(), tags=["reads"])
async def portal_backlinks(
    api: Api,
    project_id: str,
    node: NodeParam,
    offset: OffsetParam = 0,
    limit: LimitParam = 20,
    wait_for: WaitParam = None,
) -> BacklinksAnswer:
    """List the links from other pages to a page, a heading or a card."""
    await wait_if_asked(api, project_id, wait_for)
    return await backlinks_answer(api.reader, project_id, node, offset=offset, limit=limit)


@get("/api/member/v1/brain/backlinks", opt=needs("member.read"), tags=["member"])
async def member_backlinks(
    api: Api,
    project_id: ProjectParam,
    node: NodeParam,
    offset: OffsetParam = 0,
    limit: LimitParam = 20,
    wait_for: WaitParam = None,
) -> BacklinksAnswer:
    """List the links from other pages to a page, a heading or a card."""
    await wait_if_asked(api, project_id, wait_for)
    return await backlinks_answer(api.reader, project_id, node, offset=offset, limit=limit)


def parse_lines(text: str) -> tuple[int, int]:
    """Read ``12`` or ``12-20``.

    Raises:
        BadRequestError: it is neither.
    """
    match = _LINES.fullmatch(text)
    if match is None:
        raise BadRequestError("lines", "must be a line or a range, such as 12 or 12-20.")
    first = int(match[1])
    return first, int(match[2] or first)
