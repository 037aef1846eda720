import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.markdown.line_index import line_offsets
from brain.search.chunks import (
    GOOD_TOKENS,
    LEAST_TOKENS,
    MAX_NODE_CHARS,
    MAX_TOKENS,
    chunk_document,
    chunk_id,
)
from brain.search.tokens import estimate_tokens
from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document
from brain.tree.place import place_document

PARAGRAPH = "Eleven plain words make up this paragraph of the long document. " * 6 + "\n\n"
LONG_FENCE = "```python\n" + "print('a line of code')\n\n" * 40 + "```\n"


def chunks_of(text, path="docs/page.md"):
    parsed = parse_document(text.encode("utf-8", "replace"), TreeConfig())
    return chunk_document(place_document(parsed, path, "blob"), text)


def lines_of(text, chunk):
    offsets = line_offsets(text)
    return text[offsets[chunk.line_start - 1] : offsets[chunk.line_end]]


def test_a_short_node_is_one_chunk():
    text = "---\ntags: [Pay]\nspace: ops\n---\n# Retry\n\nIntro.\n\n## Policy\n\nThree times.\n"

    found = [
        (each.node_id, each.line_start, each.line_end, each.headings) for each in chunks_of(text)
    ]

    assert found == [
        ("docs/page.md#retry", 5, 8, "Retry > pay"),
        ("docs/page.md#policy", 9, 11, "Retry > Retry > pay"),
    ]


def test_a_chunk_says_what_its_document_is_called():
    (chunk,) = chunks_of("---\npageId: 77\nspace: ops\naliases: [Other name]\n---\n")

    assert chunk.names == "docs/page 77 OPS Other name"


def test_the_id_is_of_node_and_part():
    (chunk,) = chunks_of("text")

    assert chunk.id == chunk_id("docs/page.md", 0) == "aeb452599d195722"


@pytest.mark.parametrize("text", ["", "\n\n \n", "\ufeff"])
def test_what_says_nothing_has_no_chunk(text):
    assert [each for each in chunks_of(text) if each.text.strip("\ufeff\n ")] == []


def test_code_is_kept_apart():
    (chunk,) = chunks_of("Before.\n\n```sh\nmake it\n```\nAfter.\n")

    assert (chunk.text, chunk.code) == ("Before.\n\nAfter.\n", "```sh\nmake it\n```\n")


def test_a_long_node_is_cut_between_paragraphs():
    chunks = chunks_of(PARAGRAPH * 30)

    assert len(chunks) > 1
    assert all(LEAST_TOKENS <= each.tokens <= GOOD_TOKENS for each in chunks)
    assert all(each.text.startswith("Eleven plain") for each in chunks)


def test_a_fence_stays_whole_while_it_fits():
    chunks = chunks_of(PARAGRAPH * 5 + LONG_FENCE + PARAGRAPH * 5)

    assert [each.code for each in chunks if each.code] == [LONG_FENCE]


def test_a_tilde_fence_holds_backticks():
    text = "~~~~\n```\n\n# no heading\n~~~\n\n~~~~\nAfter.\n"

    (chunk,) = chunks_of(text)

    assert (chunk.text, chunk.code) == ("After.\n", text.removesuffix("After.\n"))


def test_the_cut_of_a_very_long_node():
    chunks = chunks_of("word and " * 200_000)

    assert chunks[-1].char_end == MAX_NODE_CHARS


@pytest.mark.parametrize(
    "text",
    [
        "x" * 2_000_000,
        "QUJD" * 100_000,
        "word " * 100_000,
        "\0" * 50_000,
        "漢字" * 50_000,
        "😀" * 20_000,
        "```\n" + "a b\n" * 20_000,
        "| a " * 30_000,
        "\n" * 100_000 + "x",
        ("para\r\n\r\n") * 9_000,
        "a\u2028b\x0cc\n" * 9_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_nothing_overflows(text):
    chunks = chunks_of(text)

    assert max(each.tokens for each in chunks) <= MAX_TOKENS
    assert max(estimate_tokens(each.text + each.code) for each in chunks) <= MAX_TOKENS
    assert "".join(each.text + each.code for each in chunks) == text[:MAX_NODE_CHARS]


LINES = ["# One\n", "## Two\n", "\n", "```\n", "~~~\n", "text here\n", "- a\n", "> ```\n"]
ODD = ["x" * 900 + "\n", "Title\n===\n", "\r\n", "\r", "é ü\n", "\u2028\n", PARAGRAPH, LONG_FENCE]
PIECES = st.sampled_from([*LINES, *ODD])


@given(st.lists(PIECES, max_size=25).map("".join))
def test_chunks_are_whole_lines_of_one_node_and_leave_nothing_out(text):
    parsed = parse_document(text.encode(), TreeConfig())
    row = place_document(parsed, "a.md", "blob")
    chunks = chunk_document(row, text)
    nodes = {("a.md#" + node.anchor).removesuffix("#"): node for node in row.nodes}

    covered = [False] * len(text)
    for each in chunks:
        node = nodes[each.node_id]
        assert node.line_start <= each.line_start <= each.line_end <= node.own_line_end
        assert text[each.char_start : each.char_end] in lines_of(text, each)
        assert len(each.text) + len(each.code) == each.char_end - each.char_start
        assert each.tokens <= MAX_TOKENS
        covered[each.char_start : each.char_end] = [True] * (each.char_end - each.char_start)
    left = "".join(text[at] for at, is_covered in enumerate(covered) if not is_covered)
    assert not left.strip()
    assert len({each.id for each in chunks}) == len(chunks)


def test_front_matter_alone_is_no_chunk_unless_it_has_a_summary():
    text = "---\nlabels: [a]\n---\n\n# Title\n\nText.\n"

    assert [each.node_id for each in chunks_of(text)] == ["docs/page.md#title"]
    told = text.replace("labels: [a]", "summary: What it says of itself")
    assert [each.node_id for each in chunks_of(told)] == ["docs/page.md", "docs/page.md#title"]
    assert len(chunks_of("---\nlabels: [a]\n---\n")) == 1
