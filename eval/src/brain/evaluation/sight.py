"""Sight: ``brain_tree`` answers as a client of the protocol gets them, with what they cost."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from brain.evaluation.navigation import Look, Page
from brain.query.tokens import estimate_tokens


class NoSightError(Exception):
    """The instance refused a brain_tree call."""


@asynccontextmanager
async def sight(mcp_url: str, token: str, project_id: str) -> AsyncIterator[Look]:
    """Open a connection and yield a function that looks at a node.

    The cost of a look is the text block a model reads, counted as the product counts.
    """
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60.0)
    async with http, Client(streamable_http_client(mcp_url, http_client=http)) as client:

        async def look(node: str, offset: int, page: int) -> Page | None:
            arguments = {
                "projectId": project_id,
                "node": node,
                "offset": offset,
                # The budget of a call bounds text and structured output together.
                "maxTokens": 2 * page,
                "limit": 100,
            }
            result = await client.call_tool("brain_tree", arguments)
            if result.is_error and "maxTokens is too small" in str(result.content):
                return None
            if result.is_error or result.structured_content is None:
                raise NoSightError(result.content)
            text = "".join(getattr(block, "text", "") for block in result.content)
            return _page(node, result.structured_content, estimate_tokens(text))

        yield look


def _page(node: str, answer: dict[str, Any], tokens: int) -> Page:
    children = [(child["id"], _words(child)) for child in answer["children"]]
    return Page(node, children, answer["nextOffset"], tokens)


def _words(child: dict[str, Any]) -> str:
    return f"{child['id']} {child['title']} {child['summary']}"
