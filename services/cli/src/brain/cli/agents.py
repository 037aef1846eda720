"""What to paste so that an agent speaks to an instance, by the agent's program."""

import json
import shlex


def claude_line(mcp_url: str, token: str) -> str:
    """Return the command that adds the instance to Claude Code."""
    header = shlex.quote(_header(token))
    return f"claude mcp add --transport http brain {mcp_url} --header {header}"


def cursor_json(mcp_url: str, token: str) -> str:
    """Return the content of Cursor's ``mcp.json``."""
    server = {"url": mcp_url, "headers": {"Authorization": f"Bearer {token}"}}
    return json.dumps({"mcpServers": {"brain": server}}, indent=2)


def vscode_json(mcp_url: str, token: str) -> str:
    """Return the content of VS Code's ``mcp.json``."""
    server = {"type": "http", "url": mcp_url, "headers": {"Authorization": f"Bearer {token}"}}
    return json.dumps({"servers": {"brain": server}}, indent=2)


def _header(token: str) -> str:
    return f"Authorization: Bearer {token}"
