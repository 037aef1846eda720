"""The quick reader of front matter against libyaml: it agrees or hands over."""

import random

import pytest

from brain.markdown import front_matter
from brain.markdown.plain_front_matter import plain_mapping

KEYS = ["a", "b", "title", "ms.date", "x-y", "_z", "null", "yes", "1a"]
VALUES = [
    "x",
    "x y",
    "05/01/2020",
    "2020-01-01",
    '"q"',
    "'q'",
    '"a: b"',
    "a: b",
    "a:b",
    "a #b",
    "a#b",
    "[a, b]",
    "[\"a\", 'b']",
    "[]",
    "[a,b]",
    "- x",
    "null",
    "~",
    "",
    "  x",
    "x  ",
    "http://x.y/z",
    "x:",
    "[a: b]",
    "{a: b}",
    "&x",
    "*x",
    "!t",
    ">",
    "%x",
    "@x",
    "`x`",
    "/p/q",
    "(x)",
    "a [b]",
    "é",
    "a\tb",
    "'it''s'",
    '"a\\nb"',
    "a'b",
    'a"b',
    "[a-b, c.d]",
    "[a, ]",
    "[null]",
    '""',
    "''",
    "[-a]",
    "? a",
    "a - b",
    "a\\b",
    "[a ?b]",
]


def parsed(block: str) -> object:
    builder = front_matter._Builder(front_matter._events(block))
    return builder.mapping_document()


def test_blocks_of_all_kinds_read_as_yaml_reads_them():
    chance = random.Random(3)
    read = 0
    for _ in range(8_000):
        lines = [
            f"{chance.choice(KEYS)}: {chance.choice(VALUES)}" for _ in range(chance.randint(1, 3))
        ]
        if chance.random() < 0.3:
            lines += ["c:", *(f"  - {chance.choice(VALUES)}" for _ in range(chance.randint(0, 2)))]
        block = "\n".join(lines) + "\n"
        fields = plain_mapping(block)
        if fields:
            read += 1
            assert fields == parsed(block), repr(block)

    assert read > 1_000


@pytest.mark.parametrize(
    "block", ["a: b: c\n", "a: 1\na: 2\n", "a: |\n  b\n", "a: &b c\n", "# c\n", "a: 'it''s'\n"]
)
def test_what_is_not_plain_is_handed_over(block):
    assert plain_mapping(block) is None
