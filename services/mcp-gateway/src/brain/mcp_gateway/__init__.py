"""MCP tools over the query library."""
