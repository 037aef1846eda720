import pytest

from brain.markdown.slug import unique_slugs
from brain.markdown.slug_dialects import split_explicit_id


@pytest.mark.parametrize(
    ("dialect", "texts", "slugs"),
    [
        (
            "gitlab",
            ["This header has spaces in it", "Unicode in it: \ud55c\uae00", "a - b & c", "2020"],
            ["this-header-has-spaces-in-it", "unicode-in-it-\ud55c\uae00", "a-b-c", "anchor-2020"],
        ),
        ("gitlab", ["Rules (PREMIUM)", "a", "a", "a"], ["rules", "a", "a-1", "a-2"]),
        (
            "gitea",
            ["test\uff1a6 !b", "a_b-c", " x  y ", 'Header with "quotes"', "!?", "!"],
            ["test6-b", "a_b-c", "x--y", "header-with-quotes", "heading", "heading-1"],
        ),
        (
            "mkdocs",
            ["\u017dlut\u00fd & k\u016f\u0148", "a", "a", "a", "\u4e2d\u6587", "a_1"],
            ["zluty-kun", "a", "a_1", "a_2", "_1", "a_3"],
        ),
        ("mkdocs", ["Set up { #setup }", "Use {: #use }"], ["setup", "use"]),
        ("docusaurus", ["Hello World", "Other {#my-id}", "Foo & Bar"],
         ["hello-world", "my-id", "foo--bar"]),
        ("obsidian", ["Link to a [[Note]]: how?", "A", "A"], ["Link to a Note how?", "A", "A-1"]),
    ],
)  # fmt: skip
def test_headings_are_slugged_by_their_dialect(dialect, texts, slugs):
    assert list(unique_slugs(texts, dialect)) == slugs


@pytest.mark.parametrize(
    "dialect", ["github", "gitlab", "gitea", "mkdocs", "docusaurus", "obsidian"]
)
def test_two_thousand_equal_headings_stay_unique(dialect):
    assert len(set(unique_slugs(["a", "a_1", "", "!", "a-1"] * 400, dialect))) == 2_000


def test_an_explicit_id_is_no_text():
    assert split_explicit_id("Set up {#install}") == ("Set up", "install")
    assert split_explicit_id("a {b}") == ("a {b}", "")
