import pytest

from brain.read_api.document_paths import is_document


@pytest.mark.parametrize(
    ("path", "document"),
    [
        ("/api/docs/a.md", True),
        ("/api/docs/folder/A.MD", True),
        ("/api/docs", False),
        ("/api/docs/openapi.json", False),
        ("/api/docs/assets/swagger-ui.css", False),
        ("/api/other/a.md", False),
    ],
)
def test_what_ends_like_markdown_is_a_document(path, document):
    assert is_document(path) is document
