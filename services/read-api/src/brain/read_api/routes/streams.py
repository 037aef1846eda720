"""Streams: the outline and the dump as lines of JSON, live events as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage, Stream

from brain.query.dump import dump
from brain.query.index_cache import IndexCache
from brain.query.outline import outline
from brain.query.reader import readable
from brain.query.status import project_status
from brain.query.view import View
from brain.read_api.authentication import needs
from brain.read_api.live import event_type
from brain.read_api.state import Api
from brain.store.errors import ProjectNotFoundError
from brain.store.pointer import Pointer, read_pointer
from brain.store.pool import Connection, snapshot
from brain.store.sources import find_project_source

_NDJSON = "application/x-ndjson"
_SNAPSHOT_CACHE_BYTES = 8 * 1024 * 1024
#: A comment keeps proxies from closing a quiet stream.
_QUIET_S = 15.0


@get("/api/projects/{project_id:str}/brain/outline", opt=needs(), tags=["reads"])
async def stream_outline(
    api: Api,
    project_id: str,
    under: Annotated[str, QueryParameter(description="A node id; the root by default.")] = "/",
) -> Stream:
    """Stream every node in tree order, one JSON object a line."""
    lines = _outline_lines(api, project_id, under)
    first = await anext(lines)
    return Stream(_chain(first, lines), media_type=_NDJSON)


@get("/api/projects/{project_id:str}/brain/dump", opt=needs("project.brain.manage"), tags=["reads"])
async def stream_dump(api: Api, project_id: str) -> Stream:
    """Stream every stored row that is a function of the commit, in key order."""
    lines = _dump_lines(api, project_id)
    first = await anext(lines)
    return Stream(_chain(first, lines), media_type=_NDJSON)


@get("/api/projects/{project_id:str}/brain/events", opt=needs(), tags=["projects"])
async def stream_events(api: Api, project_id: str) -> ServerSentEvent:
    """Stream what happens to a project: its status first, then builds as they go on."""
    async with snapshot(api.pool) as connection:
        source = await find_project_source(connection, project_id)
    status = await project_status(api.reader, api.pool, project_id)
    return ServerSentEvent(_events(api, source.id, msgspec.json.encode(status)))


async def _events(api: Api, source_id: int, status: bytes) -> AsyncIterator[ServerSentEventMessage]:
    yield ServerSentEventMessage(data=status, event="status")
    async for event in _never_quiet(api.live.watch(source_id)):
        if event is None:
            yield ServerSentEventMessage(comment="still here")
        else:
            yield ServerSentEventMessage(data=event, event=event_type(event))


async def _never_quiet(events: AsyncIterator[bytes]) -> AsyncIterator[bytes | None]:
    """Pass events on, and None whenever none came for a while."""
    pending = asyncio.ensure_future(anext(events))
    try:
        while True:
            done, _ = await asyncio.wait({pending}, timeout=_QUIET_S)
            if not done:
                yield None
                continue
            yield pending.result()
            pending = asyncio.ensure_future(anext(events))
    finally:
        pending.cancel()


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield lines again after the first was taken, so that errors come before the status line."""
    yield first
    async for line in rest:
        yield line


async def _outline_lines(api: Api, project_id: str, under: str) -> AsyncIterator[bytes]:
    encode = msgspec.json.Encoder().encode
    async with snapshot(api.pool, limit_s=None) as connection:
        pointer = await _readable(connection, project_id)
        view = View(pointer, IndexCache(_SNAPSHOT_CACHE_BYTES), connection)
        async for node in outline(view, under):
            yield encode(node) + b"\n"


async def _readable(connection: Connection, project_id: str) -> Pointer:
    pointer = await read_pointer(connection, project_id)
    if pointer is None:
        raise ProjectNotFoundError(project_id)
    return readable(pointer)


async def _dump_lines(api: Api, project_id: str) -> AsyncIterator[bytes]:
    async with snapshot(api.pool, limit_s=None) as connection:
        pointer = await _readable(connection, project_id)
        view = View(pointer, IndexCache(0), connection)
        async for line in dump(view, connection):
            yield line + b"\n"
