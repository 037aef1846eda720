"""What clients are told of the tools changes on purpose only: `make schema` writes it anew."""

from pathlib import Path

import jsonschema

from brain.mcp_gateway.description import describe_tools
from brain.mcp_gateway.tools.tree import TOOLS

LIST = Path(__file__).with_name("tools.json")


def test_the_committed_list_describes_the_tools():
    assert LIST.read_text() == describe_tools()


def test_every_schema_is_a_schema_of_an_object():
    for tool in TOOLS:
        described = tool.described()
        for schema in (described.input_schema, described.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        assert described.input_schema["additionalProperties"] is False


def test_every_tool_says_that_it_only_reads():
    for tool in TOOLS:
        hints = tool.described().annotations
        assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
        assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
