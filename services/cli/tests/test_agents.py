import json
import shlex

from brain.cli.agents import claude_line, cursor_json, vscode_json

URL = "http://127.0.0.1:7700/mcp"


def test_the_line_for_claude_code_can_be_pasted_into_a_shell():
    assert shlex.split(claude_line(URL, "brain_x")) == [
        "claude",
        "mcp",
        "add",
        "--transport",
        "http",
        "brain",
        URL,
        "--header",
        "Authorization: Bearer brain_x",
    ]


def test_cursor_names_its_servers_by_mcp_servers():
    assert json.loads(cursor_json(URL, "brain_x")) == {
        "mcpServers": {"brain": {"url": URL, "headers": {"Authorization": "Bearer brain_x"}}}
    }


def test_vs_code_wants_the_transport_named():
    assert json.loads(vscode_json(URL, "brain_x")) == {
        "servers": {
            "brain": {"type": "http", "url": URL, "headers": {"Authorization": "Bearer brain_x"}}
        }
    }
