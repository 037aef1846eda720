"""Every tool that is offered, in the order clients list them."""

from brain.mcp_gateway.tools import history, search, tree

OFFERED = (*tree.TOOLS, *history.TOOLS, *search.TOOLS)
