"""Sight: ``brain_tree`` answers as a client of the protocol gets them, with what they cost."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from brain.evaluation.navigation import Glance, Look, Page
from brain.evaluation.navigator import Shown
from brain.search.tokens import estimate_tokens

#: The structured part of an answer takes about four times what its text takes, and a head.
_STRUCTURED = 4
_HEAD_TOKENS = 700


class NoSightError(Exception):
    """The instance refused a brain_tree call."""


@asynccontextmanager
async def sight(mcp_url: str, token: str, project_id: str) -> AsyncIterator[Look]:
    """Open a connection and yield a function that looks at a node.

    The cost of a look is the text block a model reads, counted as the product counts; it never
    exceeds what the look allows.
    """
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60.0)
    async with http, Client(streamable_http_client(mcp_url, http_client=http)) as client:

        async def look(glance: Glance) -> Page | None:
            arguments = {"projectId": project_id, **_arguments(glance)}
            room = _HEAD_TOKENS + (1 + _STRUCTURED) * glance.page
            while True:
                shown = await _ask(client, {**arguments, "maxTokens": room})
                if shown is None or shown.tokens <= glance.page:
                    return shown
                room = room * 9 // 10

        yield look


def _arguments(glance: Glance) -> dict[str, Any]:
    arguments = {"node": glance.node, "limit": glance.limit}
    if glance.words:
        return {**arguments, "words": glance.words, "cursor": glance.cursor}
    return {**arguments, "offset": glance.offset}


async def _ask(client: Client, arguments: dict[str, Any]) -> Page | None:
    result = await client.call_tool("brain_tree", arguments)
    if result.is_error and "maxTokens is too small" in str(result.content):
        return None
    if result.is_error or result.structured_content is None:
        raise NoSightError(result.content)
    text = "".join(getattr(block, "text", "") for block in result.content)
    return _page(arguments["node"], result.structured_content, estimate_tokens(text))


def _page(node: str, answer: dict[str, Any], tokens: int) -> Page:
    marks = [(mark["offset"], mark["name"]) for mark in answer["landmarks"]]
    children = [_shown(child) for child in answer["children"]]
    cursor = answer.get("nextCursor") or ""
    return Page(node, children, answer["nextOffset"], tokens, marks, cursor)


def _shown(child: dict[str, Any]) -> Shown:
    return Shown(
        child["id"],
        child.get("title", ""),
        child.get("summary", ""),
        child.get("tokens", 0),
        tuple(map(_shown, child.get("best", ()))),
        child.get("match", 0.0),
    )
