"""Rule ``paragraph``: the first paragraph of a node."""

import re
from collections.abc import Sequence

from brain.markdown.blocks import Block, Definitions
from brain.tree.summary.subject import Subject
from brain.tree.summary.table_rows import row_keys
from brain.tree.summary.wording import cut, joined, plain, prose

_FIRST_BLOCKS = 4
# "[!NOTE]" on GitHub, "[!note]- Title" in Obsidian
_NOTE_KIND = re.compile(r"\A\[![\w-]+\][+-]?[ \t]*\n*")
#: Room the paragraph leaves for the rows of the table after it.
_PARAGRAPH_BESIDE_ROWS = 160


def paragraph(subject: Subject) -> str:
    """Take the first paragraph among the first four blocks, past lists, tables and diagrams.

    When a table follows it, the keys of the rows are added: ``Rows: R-01 Prices differ; …``.
    Without one the text of a quote or note counts, and of a node of only images their texts.
    """
    return (
        paragraph_of(subject.blocks, subject.definitions)
        or _quoted(subject.blocks[:_FIRST_BLOCKS], subject.definitions)
        or _pictured(subject)
    )


def paragraph_of(blocks: Sequence[Block], definitions: Definitions) -> str:
    """Apply the rule to the paragraphs of any node."""
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


def _quoted(blocks: Sequence[Block], definitions: Definitions) -> str:
    for block in blocks:
        if block.kind != "quote":
            continue
        for text in _NOTE_KIND.sub("", block.content).split("\n\n"):
            if words := prose(text, definitions):
                return cut(words)
    return ""


def _pictured(subject: Subject) -> str:
    if subject.parts or any(block.kind != "paragraph" for block in subject.blocks):
        return ""
    return cut(plain(subject.blocks[0].content, subject.definitions)) if subject.blocks else ""
