from pathlib import Path

import pytest

from brain.read_api.openapi import describe_api

#: How handlers name their dependencies changes with the framework's next major version.
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

DOCUMENT = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_committed_document_describes_the_routes():
    assert DOCUMENT.read_text() == describe_api()
