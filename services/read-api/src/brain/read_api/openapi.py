"""The committed description of the API: ``python -m brain.read_api.openapi FILE``."""

import json
import sys
from pathlib import Path
from typing import cast

from brain.read_api.app import create_app
from brain.read_api.settings import Settings
from brain.read_api.state import Api


class _Undressed:
    """Stands where the collaborators would: describing routes touches none of them."""

    authenticator = None


def describe_api() -> str:
    """Return the OpenAPI document as JSON, the same bytes for the same routes."""
    app = create_app(cast("Api", _Undressed()), Settings("", "", Path()), None)
    return json.dumps(app.openapi_schema.to_schema(), indent=2, sort_keys=True) + "\n"


def main() -> None:
    """Write the document to the file that is named."""
    Path(sys.argv[1]).write_text(describe_api(), encoding="utf-8")


if __name__ == "__main__":
    main()
