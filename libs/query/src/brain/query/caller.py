"""Caller: over which surface a question came, and from which client."""

from typing import Literal

import msgspec

from brain.markdown.visible import visible

Surface = Literal["rest", "mcp", "cli"]

_MOST_CHARS = 100
#: What `brain eval` calls itself.
EVALUATION_AGENT = "brain-eval"
_COMMAND_LINE = "brain-cli"


class Caller(msgspec.Struct, frozen=True):
    """Who asked, as far as logs and counters may know."""

    surface: Surface
    #: What the client calls itself.
    client: str = ""

    @property
    def is_evaluating(self) -> bool:
        """Tell whether the answers are known: such questions are no gaps and no use."""
        return self.client == EVALUATION_AGENT


def caller_of(surface: Surface, user_agent: str) -> Caller:
    """Return the caller behind a user agent; our own command line is a surface of its own."""
    client = visible(user_agent)[:_MOST_CHARS]
    return Caller("cli" if client.startswith(_COMMAND_LINE) else surface, client)
