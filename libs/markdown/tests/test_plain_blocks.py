"""The quick scanner against the full parser: it agrees or hands over."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.markdown.blocks import MAX_HEADINGS, parse_outline
from brain.markdown.plain_blocks import scan_outline
from brain.testkit.growth import grows_linearly

PIECES = [
    "a",
    "b c",
    "# h",
    "## h ##",
    "#",
    "-",
    "- x",
    "-  x",
    "-     x",
    "* x",
    "+ x",
    "1. x",
    "2. x",
    "10) x",
    "1.",
    "***",
    "---",
    "===",
    "- - -",
    "> q",
    ">",
    "> > q",
    ">q",
    "```",
    "~~~",
    "````",
    "``` py",
    "`c`",
    "<div>",
    "</div>",
    "<b>",
    "<!-- c -->",
    "<!--",
    "-->",
    "<?x",
    "<script>",
    "</script>",
    "[a]: b",
    "[a]: <b> 'c'",
    "[a]:",
    "[b",
    "c]: d",
    "[^1]: f",
    "[l]: m n",
    "[o]:\n  p.md",
    "[q]: r (s)",
    "<p>x",
    "    code",
    "\tcode",
    "  \tx",
    "  y",
    "   z",
    "",
    "",
    "",
    " ",
    "\t",
    "<a href='x'>",
    "_ _ _",
    "__x__",
    "**b**",
    "text <!-- c",
    "'t'",
    '"t"',
    "(t)",
    "\x0c",
    "\u2028x",
    "\xa0",
    "-\tx",
    "1.\tx",
    ">\tx",
    "- [ ] t",
    "- # h",
    "- > q",
    "- ```",
    "> ```",
    "> - x",
    "x  ",
    "y\\",
    "\x00",
    "=",
    "==",
    "&amp;",
    "1.x",
    "-x",
    "+",
    "*",
    "<!-->",
    "<!--->",
    "<!-- a --> b <!--",
]
TABLE_PIECES = ["| a | b |", "|-|-|", "|---|", "a|b", "--|--", "a |", r"\|a|", "- a|b", "> a|b"]
INDENTS = [
    "",
    " ",
    "  ",
    "   ",
    "    ",
    "     ",
    "\t",
    "  \t",
    "> ",
    ">",
    "- ",
    "  - ",
    "1. ",
    "- > ",
]

LINES = st.builds(
    str.__add__, st.sampled_from(["", *INDENTS]), st.sampled_from(PIECES + TABLE_PIECES)
)
DOCUMENTS = st.builds(
    str.__add__,
    st.lists(LINES, min_size=1, max_size=10).map("\n".join),
    st.sampled_from(["", "\n"]),
)


@given(DOCUMENTS)
@settings(max_examples=1_000, deadline=None)
def test_a_scanned_document_equals_the_parsed_one(text):
    scanned = scan_outline(text)

    assert scanned is None or scanned == parse_outline(text)


def test_many_documents_of_few_kinds_of_lines_equal_the_parsed_ones():
    chance = random.Random(7)
    scanned = 0
    for _ in range(6_000):
        pieces = chance.sample(PIECES + TABLE_PIECES, 6)
        indents = ["", *chance.sample(INDENTS, 3)]
        count = chance.randint(1, 9)
        text = "\n".join(chance.choice(indents) + chance.choice(pieces) for _ in range(count))
        outline = scan_outline(text)
        scanned += outline is not None
        assert outline is None or outline == parse_outline(text), repr(text)

    assert scanned > 2_000


PLAIN = {
    "headings": "# a\n\nb\n===\n\nc\nd\n---\n### e ###\n",
    "fences": "```py\n# x\n```\n\n~~~\n```\n~~~\nafter\n",
    "lists": "- a\n  b\n\n  c\n- d\n  1. e\n     f\n  2. g\n* h\n",
    "lazy lines": "- a\nb\n> c\nd\n\n1. e\n   - f\ng\n",
    "tabs before items": "- a\n\t- b\n\t\t- c\n\n\t\td\n",
    "tables": "a\n|b|c|\n|-|-|\n|d|e|\n\nf | g\n---\n",
    "quotes": "> a\n> # b\n> - c\n>\n> d\n\ne\n",
    "html": "<p align=center>\n# a\n</p>\n\n<!-- b\n\n# c -->\n# d\n",
    "definitions": "[a]: b.md 'c'\n[d]: <e f.md>\n[g]:\n  h.md\n\ni\n",
    "no end of line": "# a\n\n- b",
    "white space at the end": "a\n   ",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_plain_constructs_are_scanned(text):
    assert scan_outline(text) == parse_outline(text)


@pytest.mark.parametrize(
    "text",
    ["a <!-- b\n\n# c -->\n", "-\n  a\n", "- ```\n\ta\n", "- a\n  - | b |\n|-|\n", "[a\nb]: c\n"],
    ids=["an open comment", "an empty item", "a fence", "a table", "a label on two lines"],
)
def test_what_one_line_does_not_decide_is_handed_over_or_equal(text):
    scanned = scan_outline(text)

    assert scanned is None or scanned == parse_outline(text)


def test_an_open_comment_is_handed_over():
    assert scan_outline("a <!-- b\n\n# c -->\n") is None


def test_more_headings_than_count_are_handed_over():
    assert scan_outline("# a\n" * (MAX_HEADINGS + 1)) is None


def test_deep_nesting_is_handed_over():
    assert scan_outline("> " * 500 + "x\n") is None
    assert scan_outline("- " * 500 + "x\n") is None


@pytest.mark.parametrize(
    "make",
    [
        lambda count: "".join(f"[a{number}]: http://x.y/{number}\n" for number in range(count)),
        lambda count: "> a\n" + "b\n" * count,
        lambda count: "- a\n" + "b\n" * count,
        lambda count: "- a\n\n  b\n" * count,
        lambda count: "|a|b|\n|-|-|\n" + "|\n" * count,
        lambda count: "".join("  " * (n % 10) + "- a\n" for n in range(count)),
        lambda count: "`" * count + "\n" + "```\n" * count,
        lambda count: "[a\n" * count,
        lambda count: "- " * count + "x\n",
        lambda count: "* " * count + "x\n",
    ],
    ids=[
        "definitions",
        "lazy quote",
        "lazy item",
        "items",
        "short rows",
        "nested lists",
        "fences",
        "open brackets",
        "markers",
        "breaks",
    ],
)
def test_scanning_takes_about_linear_time(make):
    assert grows_linearly(lambda count: scan_outline(make(count)), 8_000)
