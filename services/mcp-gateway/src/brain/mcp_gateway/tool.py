"""Tool: a name, its arguments, its result, and the function between them."""

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
import msgspec

from brain.access.principal import Principal
from brain.mcp_gateway.gateway import Gateway


class Answer(msgspec.Struct, frozen=True):
    """What a tool says: text for the model, and the same as structured output."""

    text: str
    structured: msgspec.Struct


class Tool(msgspec.Struct, frozen=True):
    """One tool. Descriptions are constants: no document can change them."""

    name: str
    title: str
    description: str
    arguments: type[msgspec.Struct]
    result: type[msgspec.Struct]
    run: Callable[[Gateway, Principal, Any], Awaitable[Answer]]
    #: Whether it leaves something behind besides logs.
    writes: bool = False

    def described(self) -> types.Tool:
        """Describe the tool as clients list it."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=object_schema(self.arguments),
            output_schema=object_schema(self.result),
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=not self.writes,
                destructive_hint=False,
                idempotent_hint=not self.writes,
                open_world_hint=False,
            ),
        )


def object_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a JSON Schema whose top level is an object, as the protocol wants it."""
    (top,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    name = str(top["$ref"]).rsplit("/", 1)[-1]
    schema = dict(definitions.pop(name))
    return {**schema, "$defs": definitions} if definitions else schema
