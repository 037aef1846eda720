"""What the arguments of all tools have in common."""

from typing import Annotated

import msgspec
from msgspec import Meta

from brain.access.principal import Principal
from brain.mcp_gateway import fit
from brain.mcp_gateway.gateway import Gateway

ProjectId = Annotated[
    str, Meta(description="The project; may be left out when the token sees just one.")
]
NodeId = Annotated[
    str,
    Meta(
        description="A node id: `/`, `folder/`, `path.md`, `path.md#anchor` or `path.md#CARD-ID`.",
        max_length=2_000,
    ),
]
MaxTokens = Annotated[
    int,
    Meta(description="Bounds the whole answer.", ge=1, le=fit.MOST_TOKENS),
]
WaitFor = Annotated[
    str,
    Meta(description="Answer only once this commit is indexed, 30 seconds at most.", max_length=64),
]


class Common(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Arguments of every tool."""

    project_id: ProjectId = ""
    max_tokens: MaxTokens = fit.DEFAULT_TOKENS
    wait_for: WaitFor = ""


class PlainCommon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments of the tools that are spelled as `search_context` is."""

    project_id: ProjectId = ""
    wait_for: WaitFor = ""


async def project_of(
    gateway: Gateway, principal: Principal, arguments: Common | PlainCommon
) -> str:
    """Return the project a call is about, once its index has what the call waits for."""
    project_id = await gateway.project_of(principal, arguments.project_id)
    await gateway.wait_if_asked(project_id, arguments.wait_for)
    return project_id
