from brain.markdown.blocks import Definitions, parse_outline
from brain.markdown.inline import InlineLink, Prose, html_links, read_inline, render_inline

NONE = Definitions({})
LINKS = parse_outline("[foo]: <b c.md> 'x'\n[1]: one.md\n[^2]: two.md\n").definitions


def links(content: str, definitions: Definitions = NONE) -> list[tuple[int, str, str]]:
    found = read_inline(content, definitions)
    return [(each.line, each.kind, each.target) for each in found if isinstance(each, InlineLink)]


def test_links_are_read_as_written():
    content = "[a](./Env%20Setup/VS%20Code.md) [b](<./Env Setup/VS Code.md>) [c](My Page.md)"

    assert links(content) == [
        (0, "link", "./Env%20Setup/VS%20Code.md"),
        (0, "link", "./Env Setup/VS Code.md"),
    ]


def test_reference_links_take_their_definition():
    assert links("[foo] [Text][FOO] [foo][] [bar]", LINKS) == [(0, "link", "b c.md")] * 3


def test_a_footnote_is_no_link():
    assert links("text[^2] [^2]", LINKS) == []


def test_code_comments_and_images_hold_no_links():
    assert links("`[a](b.md)` <!-- [a](b.md) --> ![[a]](b.md) ![x](y.md) ``[[z]]``") == []


def test_the_link_around_an_image_counts():
    assert links("[![logo](l.png)](m.md)") == [(0, "link", "m.md")]


def test_links_in_brackets_survive():
    assert links("([#595](https://x.y/595)) ([a](b.md))") == [
        (0, "link", "https://x.y/595"),
        (0, "link", "b.md"),
    ]


def test_wikilinks_are_read_and_embeds_are_not():
    assert links("[[todo]] ![[pic]] [[a/b#H|text]] [[animal.dog]]") == [
        (0, "wikilink", "todo"),
        (0, "wikilink", "a/b#H|text"),
        (0, "wikilink", "animal.dog"),
    ]


def test_brackets_in_a_link_are_no_wikilink():
    assert links("[[text]](a.md) see [[1]]", LINKS) == [(0, "link", "a.md"), (0, "link", "one.md")]


def test_html_anchors_are_links():
    assert links('<a class="x" href="a.md">t</a> <A HREF=b.md> <img src="c.md">') == [
        (0, "link", "a.md"),
        (0, "link", "b.md"),
    ]


def test_a_link_has_the_line_it_starts_on():
    content = "one `code\nspan` [a](\nb.md) and\\\n[[c]]\n<a\nhref='d.md'>"

    assert links(content) == [(1, "link", "b.md"), (3, "wikilink", "c"), (4, "link", "d.md")]


def test_prose_leaves_code_out_and_joins_emphasis():
    assert read_inline("see R-**01** `R-02`\nend", NONE) == [
        Prose(0, "see R-01 \x00"),
        Prose(1, "end"),
    ]


def test_rendered_text_has_no_markup():
    rendered = render_inline("**a** `b_c` <i>d</i> &amp; \\* [e](f) ~~g~~ ![h](i)", NONE)

    assert rendered.text == "a b_c d & * e g"
    assert rendered.slug_text == "a b_c d & * e g "


def test_raw_html_gives_links_with_their_lines():
    assert html_links('<p>\n<!-- <a href="no.md">\n-->\n<a href="y&amp;z.md">') == [
        InlineLink(3, "link", "y&z.md")
    ]


def test_text_beyond_the_limits_is_read_line_by_line():
    content = "[a](b.md)\n" * 9_000 + "[" * 9_000

    assert len(links(content)) == 9_000
