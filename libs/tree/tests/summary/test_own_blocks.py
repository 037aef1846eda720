import time

import pytest

from brain.markdown.blocks import Block, Definitions, parse_outline
from brain.tree.summary.own_blocks import own_blocks, without_contents

NONE = Definitions({})


def blocks_of(text: str) -> tuple[Block, ...]:
    return own_blocks([0], parse_outline(text).blocks, NONE)[0]


def test_blocks_belong_to_the_last_node_that_starts_before_them():
    outline = parse_outline("a\n\n# b\n\nc\n\n---\n")

    owned = own_blocks([0, 2], outline.blocks, NONE)

    assert [[block.content for block in each] for each in owned] == [["a"], ["c"]]


def test_html_with_prose_is_a_paragraph_and_its_text_no_markup():
    assert blocks_of("<p>One *two* three four five</p>\n") == (
        Block("paragraph", 0, 1, r"One \*two\* three four five"),
    )
    assert blocks_of("<table><tr><td>One two three four five</td></tr></table>\n") == ()


def test_pictures_alone_are_kept():
    assert [block.content for block in blocks_of("![a](b)\n")] == ["![a](b)"]
    assert [block.content for block in blocks_of("![a](b)\n\nc\n")] == ["c"]


def test_a_table_of_contents_says_nothing():
    contents = blocks_of("- [A](#a)\n- [B](#b)\n\n- [C](c.md)\n\nd\n")

    assert without_contents(contents[:1]) == contents[:1]
    assert without_contents(blocks_of("- [A](#a)\n- [B](#b)\n")) == ()


@pytest.mark.parametrize("unit", ["{{a}} ", "{{ a", "[!INCLUDE [", "<a", "import x = ", "{% "])
def test_no_paragraph_takes_long(unit):
    started = time.process_time()
    own_blocks([0], [Block("paragraph", 0, 1, unit * 5_000 + "x")], NONE)

    assert time.process_time() - started < 5
