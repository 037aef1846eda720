import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.tree.config import TreeConfig
from brain.tree.parse import ParsedDocument, parse_document

FRAGMENTS = st.sampled_from(
    ["# a\n", "## R-01 b\n", "### \n", "a\n===\n", "b\n---\n", "> # q\n", "- # l\n", "```\n",
     "~~~\n", "<!--", "-->", "\n", "\r", "\r\n", "    ", "text ", "[a](b.md#c)", "[[x#y|z]]",
     "R-01 ", "`", "*", "|a|b|\n|-|-|\n", "---\n", "title: x\n", "<div>\n", "<a name='q'>",
     "[x]: y.md\n", "[^1]: z\n", "\u2028", "\ufeff", "\x00", "\x0c", "\\", "&#0;", "\U0001f600 ",
     "e\u0301", "\t", "- "]
)  # fmt: skip
DOCUMENTS = st.lists(FRAGMENTS, max_size=40).map("".join).map(str.encode)


def parse(data: bytes) -> ParsedDocument:
    return parse_document(data, TreeConfig())


@given(DOCUMENTS | st.binary(max_size=200))
@example(b"# A\r# B\n")
@example(b"a <!--\n- # b\n-->")
def test_the_nodes_of_any_bytes_are_a_sound_tree(data: bytes):
    nodes = parse(data).nodes

    lines = data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)
    anchors = [node.anchor for node in nodes]
    assert len(set(anchors)) == len(anchors)
    assert (nodes[0].line_start, nodes[0].line_end) == (1, lines)
    assert nodes[0].size_chars == len(data.decode("utf-8", errors="replace"))
    for number, node in enumerate(nodes[1:], start=1):
        parent = nodes[node.parent]
        assert node.parent < number
        assert node.level > parent.level
        assert parent.line_start <= node.line_start <= node.own_line_end <= node.line_end
        assert node.line_end <= parent.line_end
        assert node.title
        assert node.kind in ("section", "card")
    assert all(len(node.summary) <= 240 and "\n" not in node.summary for node in nodes)


@given(DOCUMENTS)
@example(b"# a\n[a](b.md#c)\r# a\n")
@example(b"# [a](b.md)\r# a\n[a](b.md#c)\r# a\n")
def test_every_reference_stands_on_a_line_of_its_node(data: bytes):
    parsed = parse(data)

    for reference in parsed.references:
        node = parsed.nodes[reference.node]
        assert max(node.line_start, 1) <= reference.line <= node.line_end


@given(DOCUMENTS)
def test_carriage_returns_before_line_feeds_change_no_node(data: bytes):
    plain = data.replace(b"\r", b"")

    unix, windows = parse(plain).nodes, parse(plain.replace(b"\n", b"\r\n")).nodes

    assert [(n.anchor, n.line_start, n.line_end, n.title) for n in unix] == [
        (n.anchor, n.line_start, n.line_end, n.title) for n in windows
    ]


def test_an_empty_document_has_no_line():
    node = parse(b"").nodes[0]

    assert (node.line_start, node.own_line_end, node.line_end, node.size_chars) == (1, 0, 0, 0)


def test_two_headings_may_share_one_git_line():
    nodes = parse(b"# A\r# B\rtext\n## C\n").nodes

    assert [(n.anchor, n.line_start, n.own_line_end, n.line_end) for n in nodes] == [
        ("", 1, 0, 2),
        ("a", 1, 1, 1),
        ("b", 1, 1, 2),
        ("c", 2, 2, 2),
    ]


def test_a_byte_order_mark_hides_nothing():
    assert parse(b"\xef\xbb\xbf# T\n").nodes[1].anchor == "t"
    assert parse(b"\xef\xbb\xbf---\ntitle: x\n---\n").nodes[0].title == "x"


def test_malformed_utf8_keeps_its_lines():
    nodes = parse(b"\xe2\x28\n\xff\n# T\xc3\n").nodes

    assert (nodes[1].line_start, nodes[1].title) == (3, "T\ufffd")


def test_the_limit_of_headings_leaves_the_rest_as_text():
    nodes = parse(b"# a\n" * 2_500).nodes

    assert len(nodes) == 2_001
    assert nodes[-1].own_line_end == 2_500


def test_hidden_characters_are_not_in_a_title_but_count_for_no_other_slug():
    node = parse("# a\U000e0041b\u202ec\n".encode()).nodes[1]

    assert (node.title, node.slug) == ("abc", "abc")


@pytest.mark.parametrize(
    "text",
    ["[" * 30_000, "> " * 20_000, "- " * 20_000 + "x", "[](" * 9_000, "**a " * 9_000, "![" * 9_000,
     "<!-- " * 9_000, "`" * 9_000 + " [a](b.md)", "---\na: " + "[" * 9_000 + "\n---\n",
     "[[" * 9_000],
)  # fmt: skip
def test_hostile_text_parses(text: str):
    assert len(parse(text.encode()).nodes) == 1


def test_an_absurd_heading_keeps_its_anchor_and_title_short():
    node = parse(b"# " + b"a" * 100_000 + b"\n").nodes[1]

    assert (node.anchor, node.title) == ("a" * 1_000, "a" * 1_000)


def test_references_beyond_the_limit_are_a_warning():
    parsed = parse(b"R-01 " * 20_001)

    assert len(parsed.references) == 20_000
    assert parsed.warnings == ("makes 20001 references, of which the first 20000 count",)


def test_a_parsed_document_survives_a_cache():
    text = "---\nid: ADR-0001\nup: [[X]]\n---\n# T\n\n[a](b.md#c) [[d|e]] R-01 <a id='f'></a>\n"
    parsed = parse(text.encode())

    stored = msgspec.msgpack.encode(parsed)

    assert msgspec.msgpack.decode(stored, type=ParsedDocument) == parsed
