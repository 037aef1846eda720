"""Bundles: made, looked at again, and replayed from Git."""

import msgspec
from litestar import get, post

from brain.query.bundle_answer import BundleAnswer, PlainBundle, bundle_answer, plain_bundle
from brain.query.bundle_replay import find_made, replay
from brain.query.bundles import DEFAULT_TOKENS, BundleTask
from brain.read_api.authentication import needs
from brain.read_api.calling import AnyRequest, calling, project_of
from brain.read_api.routes.reads import WaitParam
from brain.read_api.state import Api
from brain.read_api.waiting import wait_if_asked


class NewBundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a bundle is asked for."""

    task: str
    max_tokens: int = DEFAULT_TOKENS
    #: Only these, ``*`` for all; by default domain and conventions if there are any, else all.
    scopes: list[str] = msgspec.field(default_factory=list[str])
    #: Code paths that the task touches: documents whose `refs` cover them lead.
    paths: list[str] = msgspec.field(default_factory=list[str])


class NewPlainBundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle is asked for, in the spelling of `search_context`."""

    task: str
    max_tokens: int = DEFAULT_TOKENS
    scopes: list[str] = msgspec.field(default_factory=list[str])
    paths: list[str] = msgspec.field(default_factory=list[str])
    #: May be left out when the token sees one project.
    project: str = ""


@post("/api/projects/{project_id:str}/brain/bundle", opt=needs(), status_code=200, tags=["search"])
async def portal_bundle(
    api: Api,
    request: AnyRequest,
    project_id: str,
    data: NewBundle,
    wait_for: WaitParam = None,
) -> BundleAnswer:
    """Compile the best passages for a task into one text within a token budget.

    Equal requests at one state of the index give the same bundle to the byte.
    """
    await wait_if_asked(api, project_id, wait_for)
    asked = BundleTask(data.task, data.max_tokens, tuple(data.scopes), tuple(data.paths))
    pointer, bundle = await api.questions.bundle(calling(request), project_id, asked)
    return await bundle_answer(api.reader, pointer, bundle)


@get("/api/projects/{project_id:str}/brain/bundle/{bundle_id:str}", opt=needs(), tags=["search"])
async def portal_bundle_again(api: Api, project_id: str, bundle_id: str) -> BundleAnswer:
    """Show a bundle that was compiled before."""
    pointer, bundle = await find_made(api.reader, api.questions.shelf, project_id, bundle_id)
    return await bundle_answer(api.reader, pointer, bundle)


@get(
    "/api/projects/{project_id:str}/brain/bundle/{bundle_id:str}/replay",
    opt=needs(),
    tags=["search"],
)
async def portal_bundle_replay(api: Api, project_id: str, bundle_id: str) -> BundleAnswer:
    """Make a bundle's text again from Git; the same bytes, or a problem that says why not."""
    pointer, bundle = await replay(api.reader, api.questions.shelf, project_id, bundle_id)
    return await bundle_answer(api.reader, pointer, bundle)


@post("/api/bundle", opt=needs("member.read"), status_code=200, tags=["context"])
async def plain_bundle_route(api: Api, request: AnyRequest, data: NewPlainBundle) -> PlainBundle:
    """Compile the best passages for a task into one text within a token budget."""
    project_id = await project_of(api, request, data.project)
    asked = BundleTask(data.task, data.max_tokens, tuple(data.scopes), tuple(data.paths))
    pointer, bundle = await api.questions.bundle(calling(request), project_id, asked)
    return await plain_bundle(api.reader, pointer, bundle)
