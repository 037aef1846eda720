"""The summaries of all nodes of a document."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from brain.markdown.blocks import Block, Outline
from brain.markdown.front_matter import FieldValue
from brain.tree.document import Facts
from brain.tree.sections import Section
from brain.tree.summary import NODE_RULES
from brain.tree.summary.status import with_status
from brain.tree.summary.subject import Part, Subject
from brain.tree.summary.wording import cut

_Subject = TypeVar("_Subject")
_SILENT_BLOCKS = frozenset({"html", "rule", "heading"})
_MAX_BLOCKS = 40


def summarise_nodes(
    sections: Sequence[Section],
    outline: Outline,
    fields: dict[str, FieldValue],
    facts: Facts,
) -> list[tuple[str, str]]:
    """Summarise every node: text of at most 240 characters, and the name of its rule.

    A node of which nothing can be said has an empty text and an empty rule.
    """
    blocks = _own_blocks(sections, outline.blocks)
    parts: list[list[Part]] = [[] for _ in sections]
    for number, section in enumerate(sections[1:], start=1):
        parts[section.parent].append(Part(section.title, blocks[number]))
    subjects = [
        Subject(number == 0, blocks[number], tuple(parts[number]), outline.definitions)
        for number in range(len(sections))
    ]
    subjects[0] = _document(sections, subjects, fields)
    found = [first_rule(NODE_RULES, subject) for subject in subjects]
    found[0] = (with_status(found[0][0], facts), found[0][1])
    return found


def first_rule(
    rules: Sequence[tuple[str, Callable[[_Subject], str]]], subject: _Subject
) -> tuple[str, str]:
    """Return what the first rule that applies says, and its name."""
    for name, rule in rules:
        if summary := rule(subject):
            return cut(summary), name
    return "", ""


def _document(
    sections: Sequence[Section], subjects: list[Subject], fields: dict[str, FieldValue]
) -> Subject:
    alone = subjects[0]
    is_titled = len(sections) > 1 and sections[1].level == 1 and len(alone.parts) == 1
    if not is_titled:
        return msgspec.structs.replace(alone, fields=fields)
    title = subjects[1]
    blocks = alone.blocks + title.blocks
    return msgspec.structs.replace(alone, blocks=blocks, parts=title.parts, fields=fields)


def _own_blocks(sections: Sequence[Section], blocks: Sequence[Block]) -> list[tuple[Block, ...]]:
    owned: list[list[Block]] = [[] for _ in sections]
    number = 0
    for block in blocks:
        while number + 1 < len(sections) and block.start >= sections[number + 1].start:
            number += 1
        if block.kind not in _SILENT_BLOCKS and len(owned[number]) < _MAX_BLOCKS:
            owned[number].append(block)
    return [tuple(each) for each in owned]
