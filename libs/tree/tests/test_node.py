import pytest

from brain.tree.node import id_readings


@pytest.mark.parametrize(
    ("name", "readings"),
    [
        ("a/", [("a/", "")]),
        ("a.md", [("a.md", "")]),
        ("a.md#b", [("a.md", "b"), ("a.md#b", "")]),
        ("a.md#", [("a.md", ""), ("a.md#", "")]),
        ("A.MD#b", [("A.MD", "b"), ("A.MD#b", "")]),
        ("C#/", [("C#/", "")]),
        ("C#/a#b.md#R-01", [("C#/a#b.md", "R-01"), ("C#/a#b.md#R-01", "")]),
        ("a.md#b.md#c", [("a.md", "b.md#c"), ("a.md#b.md", "c"), ("a.md#b.md#c", "")]),
    ],
)
def test_an_anchor_begins_only_behind_a_document(name, readings):
    assert list(id_readings(name)) == readings
