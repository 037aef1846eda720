import pytest

from brain.tree.config import TreeConfig
from brain.tree.foreign_anchor import ForeignAnchor, foreign_anchors
from brain.tree.parse import parse_document

TEXT = b"# Guide\n\n## Conclusion & Future Work\n\n## 2024\n\n## R-01 Rule & more\n\n##\n"


def foreign(dialect):
    return foreign_anchors(parse_document(TEXT, TreeConfig(dialect=dialect)).nodes, dialect)


@pytest.mark.parametrize(
    ("dialect", "fragment", "expected"),
    [
        ("github", "conclusion-future-work", ("gitlab", "conclusion--future-work")),
        ("github", "anchor-2024", ("gitlab", "2024")),
        ("github", "Conclusion & Future Work", ("obsidian", "conclusion--future-work")),
        ("github", "r-01-rule-more", ("gitlab", "R-01")),
        ("mkdocs", "conclusion--future-work", ("github", "conclusion-future-work")),
    ],
)
def test_a_fragment_of_another_dialect_is_told_from_a_lost_one(dialect, fragment, expected):
    assert foreign(dialect)[fragment] == ForeignAnchor(*expected)


def test_what_works_here_is_not_foreign():
    assert "conclusion--future-work" not in foreign("github")
    assert "conclusions" not in foreign("github")
