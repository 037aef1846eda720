"""Read use cases shared by REST, MCP and the command line."""
