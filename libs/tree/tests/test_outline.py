from pathlib import Path

import pytest

from brain.tree.config import TreeConfig
from brain.tree.node import Node
from brain.tree.parse import parse_document

FIXTURES = sorted((Path(__file__).parent / "fixtures" / "outline").glob("*.txt"))


def outline_line(node: Node) -> str:
    lines = f"{node.line_start}-{node.own_line_end}-{node.line_end}"
    return f"{node.kind} {node.anchor or '-'} {lines} parent {node.parent} {node.title}".rstrip()


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_a_document_has_the_outline_its_fixture_says(fixture: Path):
    _, _, rest = fixture.read_text().partition("=== source\n")
    source, _, expected = rest.partition("=== outline\n")

    parsed = parse_document(source.encode(), TreeConfig())

    assert "".join(outline_line(node) + "\n" for node in parsed.nodes) == expected
