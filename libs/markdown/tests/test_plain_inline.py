"""The quick pass over inline text against the full parser: it agrees or hands over."""

import random
import time

import pytest

from brain.markdown import inline
from brain.markdown.blocks import Definitions
from brain.markdown.inline import InlineLink, Rendered, read_links
from brain.markdown.plain_inline import pieces_of
from brain.markdown.plain_links import links_of

NONE = Definitions({})
SOME = Definitions({"D": {"href": "d.md", "title": ""}, "A": {"href": "aa.md", "title": ""}})
PIECES = [
    "a",
    "b c",
    " ",
    "  ",
    "\n",
    "\n ",
    "*",
    "**",
    "_",
    "__",
    "***",
    "`",
    "``",
    "`x`",
    "[",
    "]",
    "(",
    ")",
    "[a](b)",
    "[a]",
    "[[a]]",
    "[[b|c]]",
    "![x](y)",
    "![[e]]",
    "<b>",
    "</b>",
    "<",
    "<a href='x'>",
    "<http://x>",
    "&amp;",
    "&lt;",
    "&x;",
    "&#65;",
    "&",
    "\\",
    "\\*",
    "\\[",
    "\\`",
    "!",
    "~~",
    "~",
    "R-01",
    "(R-02)",
    "[c d](<e f> 't')",
    "[![i](j)](k)",
    "[d]",
    "[d][]",
    "[x][d]",
    "[x][n]",
    "é",
    "“",
    "_a_",
    "*a*",
    "**a**",
    "a_b_c",
    "<br>",
    "<!-- c -->",
    "#",
    "<a@b.c>",
    "[`x`](y)",
    "[a\nb](c)",
    "\xa0",
    "[x]:",
    "[a]()",
    '[a](b "c")',
    "[a](b(c))",
    "[a](b&amp;c)",
    "<T>",
    "a<b",
    '<a name="q"></a>',
    "\\\n",
    "[!N[x](y)]",
    "[a [b]](c)",
    "[a \\# b](c)",
    '<img src="`">',
    "**`a`**",
    "*`b`*\\\n",
    "*_x_*",
    "__init__",
    "[`a[]`](b)",
]


def parsed_links(content: str, definitions: Definitions) -> list[InlineLink]:
    found = inline._walk(content, inline._tokens(content, definitions))
    links = [item for item in found if isinstance(item, InlineLink)]
    return [link for link in links if not link.target.startswith(("http:", "mailto:"))]


def test_texts_of_all_kinds_read_as_the_parser_reads_them():
    chance = random.Random(11)
    taken_apart = linked = 0
    for _ in range(12_000):
        pieces = chance.sample(PIECES, 7) if chance.random() < 0.6 else PIECES
        content = "".join(chance.choice(pieces) for _ in range(chance.randint(1, 9))).strip()
        definitions = chance.choice((NONE, SOME))
        rendered = inline._render_plain(content, definitions)
        if rendered is not None:
            assert rendered == inline._render_parsed(content, definitions), repr(content)
            parsed = inline._walk(content, inline._tokens(content, definitions))
            assert inline._read_plain(content, definitions) == parsed, repr(content)
        links = read_links(content, definitions)
        if links is not None:
            assert [link for link in links if not link.target.startswith("http:")] == parsed_links(
                content, definitions
            ), repr(content)
        taken_apart += rendered is not None
        linked += links is not None

    assert taken_apart > 4_000
    assert linked > 6_000


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a **b** and *c*", "a b and c"),
        ("`x`, [y](z.md) and snake_case", "x, y and snake_case"),
        ("*`n`*\\\nThe number.", "n The number."),
        ('<a name="top"></a> Members', "Members"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_common_texts_are_rendered_here(content, text):
    rendered = inline._render_plain(content, NONE)

    assert rendered is not None
    assert rendered.text == text


def test_definitions_are_links():
    assert read_links("[a], [x][d] and [none]", SOME) == [
        InlineLink(0, "link", "aa.md"),
        InlineLink(0, "link", "d.md"),
    ]


def test_links_know_their_lines():
    assert read_links("a\n[b\nc](d.md)\n[[e]] <a href=f.md>f</a>", NONE) == [
        InlineLink(1, "link", "d.md"),
        InlineLink(3, "wikilink", "e"),
        InlineLink(3, "link", "f.md"),
    ]


@pytest.mark.parametrize("content", ["a ~~b~~", "`a", "***a***", "[a](b c)", "&copy;"])
def test_rarer_texts_are_handed_over(content):
    assert pieces_of(content, NONE) is None


def test_a_long_text_is_handed_over():
    assert links_of("a" * 10_000, NONE) is None
    assert pieces_of("a" * 10_000, NONE) is None


@pytest.mark.parametrize("unit", ["[", "[a", "` ``", "<!--", "<a ", "*a", "![", "[a](", "\\"])
def test_no_text_takes_long(unit):
    content = unit * (8_000 // len(unit))
    started = time.process_time()
    links_of(content, NONE)
    pieces_of(content, NONE)

    assert time.process_time() - started < 5


def test_rendering_falls_back_to_the_parser():
    assert inline.render_inline("a ~~b~~", NONE) == Rendered("a b", "a b")
