"""Rule ``paragraph``: the first paragraph of a node."""

from collections.abc import Sequence

from brain.markdown.blocks import Block, Definitions
from brain.tree.summary.subject import Subject
from brain.tree.summary.table_rows import row_keys
from brain.tree.summary.wording import cut, joined, prose

_FIRST_BLOCKS = 4
#: Room the paragraph leaves for the rows of the table after it.
_PARAGRAPH_BESIDE_ROWS = 160


def paragraph(subject: Subject) -> str:
    """Take the first paragraph among the first four blocks, past lists, tables and diagrams.

    When a table follows it, the keys of the rows are added: ``Rows: R-01 Prices differ; …``.
    """
    return paragraph_of(subject.blocks, subject.definitions)


def paragraph_of(blocks: Sequence[Block], definitions: Definitions) -> str:
    """Apply the rule to the blocks of any node."""
    for number, block in enumerate(blocks[:_FIRST_BLOCKS]):
        words = prose(block.content, definitions) if block.kind == "paragraph" else ""
        if not words:
            continue
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        if following is None or following.kind != "table":
            return cut(words)
        rows = joined(row_keys(following.content, definitions), "; ")
        return cut(f"{cut(words, _PARAGRAPH_BESIDE_ROWS)} Rows: {rows}") if rows else cut(words)
    return ""
