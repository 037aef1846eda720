"""Every tool that is offered, in the order clients list them."""

from brain.mcp_gateway.tools import context, history, search, tree

OFFERED = (*tree.TOOLS, *history.TOOLS, *search.TOOLS, *context.TOOLS)
