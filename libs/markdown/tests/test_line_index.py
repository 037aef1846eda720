import pytest

from brain.markdown.line_index import (
    count_lines,
    decode_shown,
    decode_text,
    line_offsets,
    parser_source,
)


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2), (b"a\rb\r\nc", 2),
     ("a\u2028b\x0cc\n".encode(), 1), (b"\xff\n\xe2\x28\n", 2)],
)  # fmt: skip
def test_only_a_line_feed_ends_a_line(data: bytes, lines: int):
    text = decode_text(data)

    assert count_lines(text) == lines
    assert len(line_offsets(text)) == lines + 1
    assert line_offsets(text)[-1] == len(text)


def test_a_lone_carriage_return_ends_a_line_of_the_parser_only():
    source = parser_source("a\rb\r\nc\rd\n")

    assert source.text == "a\nb\nc\nd\n"
    assert [source.git_line(number) for number in range(4)] == [0, 0, 1, 1]


def test_what_is_shown_has_no_nul_and_as_many_characters():
    data = b"a\x00b \xff c\n"

    assert decode_shown(data) == "a\ufffdb \ufffd c\n"
    assert len(decode_shown(data)) == len(decode_text(data))
