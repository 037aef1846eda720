import pytest

from brain.markdown.blocks import MAX_HEADINGS, Block, parse_outline
from brain.testkit.growth import grows_linearly


def test_blocks_say_what_they_are():
    text = (
        "para\n\n- a\n- b\n  - c\n\n|x|y|\n|-|-|\n|1|2|\n\n```py\nx = 1\n```\n\n> q\n\n***\n<p>\n"
    )

    assert parse_outline(text).blocks == (
        Block("paragraph", 0, 1, "para"),
        Block("list", 2, 6, "", ("a", "b")),
        Block("table", 6, 9, "|x|y|\n|-|-|\n|1|2|"),
        Block("fence", 10, 13, "py\nx = 1"),
        Block("quote", 14, 15, "q"),
        Block("rule", 16, 17),
        Block("html", 17, 18, "<p>\n"),
    )


def test_a_footnote_defines_no_link():
    outline = parse_outline("[^1]: foot\n\n[a]: b.md\n")

    assert outline.definitions.references == {"A": {"href": "b.md", "title": ""}}


def test_headings_beyond_the_limit_are_text():
    outline = parse_outline("# a\n" * (MAX_HEADINGS + 5))

    assert len(outline.headings) == MAX_HEADINGS


def test_what_follows_very_deep_nesting_is_still_read():
    outline = parse_outline("> " * 5_000 + "x\n\n" + "- " * 3_000 + "y\n\n# After\n")

    assert [heading.content for heading in outline.headings] == ["After"]


def definitions(count: int) -> str:
    return "".join(f"[a{number}]: http://x.y/{number}\n" for number in range(count))


@pytest.mark.parametrize(
    "make",
    [
        definitions,
        lambda count: "> " * 45 * count,
        lambda count: "# a\n" * count,
        lambda count: "text <!--\n\n" * count,
        lambda count: "|a|b|\n|-|-|\n" + "|\n" * count,
        lambda count: "".join("  " * (n % 30) + "- a\n" for n in range(count)),
    ],
    ids=["definitions", "quotes", "headings", "open comments", "short rows", "nested lists"],
)
def test_parsing_takes_about_linear_time(make):
    assert grows_linearly(lambda count: parse_outline(make(count)), 2_000)
