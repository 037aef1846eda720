"""``brain mcp``: the instance's tools on standard input and output."""

import asyncio
from typing import Any

import click
import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from brain.cli.invocation import Invocation
from brain.cli.remote import Remote, UnreachableError


@click.command()
@click.pass_obj
def mcp(invocation: Invocation) -> None:
    """Speak MCP on standard input and output, passing everything on to the instance."""
    remote = Remote(invocation.settings())
    remote.get("/health")
    asyncio.run(_serve(remote))


async def _serve(remote: Remote) -> None:
    http = httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {remote.token}"}, timeout=90.0, trust_env=False
    )
    async with Client(streamable_http_client(remote.mcp_url, http_client=http)) as client:
        server = _forwarding_server(client)
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())


def _forwarding_server(client: Client) -> Server[Any]:
    """Describe a server that offers what the instance offers, in the era its client speaks."""

    async def list_tools(
        _context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return await client.list_tools(cursor=params.cursor if params else None)

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            return await client.call_tool(params.name, params.arguments or {})
        except (httpx2.TransportError, UnreachableError) as error:
            detail = f"The instance does not answer: {error}"
            raise MCPError(code=types.INTERNAL_ERROR, message=detail) from error

    info = client.server_info
    return Server(
        "brain",
        version=info.version if info else "",
        title="Brain",
        instructions=client.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
