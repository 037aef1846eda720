"""The committed list of tools: ``python -m brain.mcp_gateway.description FILE``."""

import json
import sys
from pathlib import Path

from brain.mcp_gateway.server import INSTRUCTIONS
from brain.mcp_gateway.tools.offered import OFFERED


def describe_tools() -> str:
    """Return what clients are told of the server, as JSON: instructions, tools, schemas, hints."""
    tools = [
        tool.described().model_dump(mode="json", by_alias=True, exclude_none=True)
        for tool in OFFERED
    ]
    document = {"instructions": INSTRUCTIONS, "tools": tools}
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def main() -> None:
    """Write the list to the file that is named."""
    Path(sys.argv[1]).write_text(describe_tools(), encoding="utf-8")


if __name__ == "__main__":
    main()
