import pytest

from brain.markdown.wikilinks import Wikilink, split_wikilink


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("todo", Wikilink("todo", "", "todo")),
        ("a/b.md#H|text", Wikilink("a/b.md", "H", "text")),
        ("a#H#I", Wikilink("a", "I", "a#H#I")),
        ("#H", Wikilink("", "H", "#H")),
        ("a\\|b", Wikilink("a", "", "b")),
        ("München", Wikilink("München", "", "München")),
        (" a | ", Wikilink("a", "", "a")),
    ],
)
def test_a_wikilink_is_taken_apart(body: str, parts: Wikilink):
    assert split_wikilink(body) == parts


@pytest.mark.parametrize("body", ["", " ", "|x", "#", " # |y"])
def test_a_wikilink_that_names_nothing_is_none(body: str):
    assert split_wikilink(body) is None
