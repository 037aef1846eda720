"""Reads: the tree, a node, a lookup, a grep; for the portal and for members."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from brain.query.answers import (
    GrepAnswer,
    LookupAnswer,
    ReadAnswer,
    TreeAnswer,
    grep_answer,
    guided_tree_answer,
    lookup_answer,
    read_answer,
    tree_answer,
)
from brain.query.grep import GrepScope, parse_pattern
from brain.query.guided_tree import guidance_of
from brain.query.read import (
    MEMBER_CHARACTERS,
    PORTAL_CHARACTERS,
    ReadOptions,
    Scope,
)
from brain.read_api.authentication import needs
from brain.read_api.state import Api
from brain.read_api.waiting import wait_if_asked
from brain.read_api.words import clean_label, clean_space

PORTAL_PAGE = 200
MEMBER_PAGE = 100

NodeParam = Annotated[
    str, QueryParameter(description="A node id: `/`, `folder/`, `a.md`, `a.md#slug`.")
]
WaitParam = Annotated[
    str | None,
    QueryParameter(
        name="waitFor", description="Wait until this commit is indexed, 30 seconds at most."
    ),
]
DepthParam = Annotated[
    int, QueryParameter(ge=1, le=2, description="1, or 2 for grandchildren too.")
]
OffsetParam = Annotated[int, QueryParameter(ge=0, description="Children to skip.")]
WordsParam = Annotated[
    str | None,
    QueryParameter(
        description="Only children under which something matches these words, best first, each "
        "with the best places beneath it; 1 to 200 characters."
    ),
]
CursorParam = Annotated[str, QueryParameter(description="`nextCursor` of an answer to words.")]
ProjectParam = Annotated[str, QueryParameter(name="projectId", description="The project.")]
ScopeParam = Annotated[
    Scope,
    QueryParameter(name="scope", description="`subtree`, `node`, or `auto`: whole when short."),
]
QueryParam = Annotated[
    str, QueryParameter(name="query", description="A reference id, a node id, a path, a file name.")
]
FromLineParam = Annotated[int, QueryParameter(name="fromLine", ge=0, description="Continue here.")]
IgnoreCaseParam = Annotated[bool, QueryParameter(name="ignoreCase")]
TextParam = Annotated[
    str, QueryParameter(description='Words in any order, or one "quoted phrase"; always literal.')
]


@get("/api/projects/{project_id:str}/brain/tree", opt=needs(), tags=["reads"])
async def portal_tree(
    api: Api,
    project_id: str,
    node: NodeParam = "/",
    depth: DepthParam = 1,
    offset: OffsetParam = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=PORTAL_PAGE)] = 50,
    words: WordsParam = None,
    cursor: CursorParam = "",
    wait_for: WaitParam = None,
) -> TreeAnswer:
    """Show a node, its breadcrumb and a page of its children."""
    guidance = guidance_of(words, cursor, offset)
    await wait_if_asked(api, project_id, wait_for)
    if guidance is not None:
        guided = await guided_tree_answer(
            api.reader, project_id, node, guidance, depth=depth, limit=limit
        )
        return guided.tree
    return await tree_answer(api.reader, project_id, node, depth=depth, offset=offset, limit=limit)


@get("/api/projects/{project_id:str}/brain/node", opt=needs(), tags=["reads"])
async def portal_node(
    api: Api,
    project_id: str,
    node: NodeParam = "/",
    read_scope: ScopeParam = "node",
    from_line: FromLineParam = 0,
    wait_for: WaitParam = None,
) -> ReadAnswer:
    """Read a node's text as it is written, with its citation, children and links."""
    await wait_if_asked(api, project_id, wait_for)
    options = ReadOptions(read_scope, from_line, PORTAL_CHARACTERS, line_numbers=False)
    return await read_answer(api.reader, project_id, node, options)


@get("/api/projects/{project_id:str}/brain/lookup", opt=needs(), tags=["reads"])
async def portal_lookup(
    api: Api, project_id: str, q: str, wait_for: WaitParam = None
) -> LookupAnswer:
    """Find the nodes that a reference id, a node id or a path names."""
    await wait_if_asked(api, project_id, wait_for)
    return await lookup_answer(api.reader, project_id, q)


@get("/api/projects/{project_id:str}/brain/grep", opt=needs(), tags=["reads"])
async def portal_grep(
    api: Api,
    project_id: str,
    text: TextParam,
    under: str = "",
    ignore_case: IgnoreCaseParam = True,
    phrase: bool = False,
    space: str | None = None,
    label: str | None = None,
    wait_for: WaitParam = None,
) -> GrepAnswer:
    """Find up to 50 lines that hold every word, each in its deepest node."""
    await wait_if_asked(api, project_id, wait_for)
    scope = GrepScope(under, clean_space(space), clean_label(label))
    pattern = parse_pattern(text, phrase=phrase, ignore_case=ignore_case)
    return await grep_answer(api.reader, project_id, pattern, scope)


@get("/api/member/v1/brain/tree", opt=needs("member.read"), tags=["member"])
async def member_tree(
    api: Api,
    project_id: ProjectParam,
    node: NodeParam = "/",
    depth: DepthParam = 1,
    offset: OffsetParam = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MEMBER_PAGE)] = 50,
    words: WordsParam = None,
    cursor: CursorParam = "",
    wait_for: WaitParam = None,
) -> TreeAnswer:
    """Show a node, its breadcrumb and a page of its children."""
    guidance = guidance_of(words, cursor, offset)
    await wait_if_asked(api, project_id, wait_for)
    if guidance is not None:
        guided = await guided_tree_answer(
            api.reader, project_id, node, guidance, depth=depth, limit=limit
        )
        return guided.tree
    return await tree_answer(api.reader, project_id, node, depth=depth, offset=offset, limit=limit)


@get("/api/member/v1/brain/read", opt=needs("member.read"), tags=["member"])
async def member_read(
    api: Api,
    project_id: ProjectParam,
    node: NodeParam = "/",
    read_scope: ScopeParam = "auto",
    from_line: FromLineParam = 0,
    wait_for: WaitParam = None,
) -> ReadAnswer:
    """Read a node's text with a number before every line, so that single lines can be cited."""
    await wait_if_asked(api, project_id, wait_for)
    options = ReadOptions(read_scope, from_line, MEMBER_CHARACTERS, line_numbers=True)
    return await read_answer(api.reader, project_id, node, options)


@get("/api/member/v1/brain/lookup", opt=needs("member.read"), tags=["member"])
async def member_lookup(
    api: Api, project_id: ProjectParam, names: QueryParam, wait_for: WaitParam = None
) -> LookupAnswer:
    """Find the nodes that a reference id, a node id or a path names."""
    await wait_if_asked(api, project_id, wait_for)
    return await lookup_answer(api.reader, project_id, names)


@get("/api/member/v1/brain/grep", opt=needs("member.read"), tags=["member"])
async def member_grep(
    api: Api,
    project_id: ProjectParam,
    text: TextParam,
    under: str = "",
    ignore_case: IgnoreCaseParam = True,
    wait_for: WaitParam = None,
) -> GrepAnswer:
    """Find up to 50 lines that hold every word, each in its deepest node."""
    await wait_if_asked(api, project_id, wait_for)
    pattern = parse_pattern(text, phrase=False, ignore_case=ignore_case)
    return await grep_answer(api.reader, project_id, pattern, GrepScope(under))
