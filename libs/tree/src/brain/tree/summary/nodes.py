"""The summaries of all nodes of a document."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from brain.markdown.blocks import Outline
from brain.markdown.front_matter import FieldValue
from brain.tree.document import Facts
from brain.tree.sections import Section
from brain.tree.summary import NODE_RULES
from brain.tree.summary.own_blocks import own_blocks, without_contents
from brain.tree.summary.status import with_status
from brain.tree.summary.subject import Part, Subject
from brain.tree.summary.wording import cut

_Subject = TypeVar("_Subject")


def summarise_nodes(
    sections: Sequence[Section],
    outline: Outline,
    fields: dict[str, FieldValue],
    facts: Facts,
) -> list[tuple[str, str]]:
    """Summarise every node: text of at most 240 characters, and the name of its rule.

    A node of which nothing can be said has an empty text and an empty rule.
    """
    starts = [section.start for section in sections]
    blocks = own_blocks(starts, outline.blocks, outline.definitions)
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
        blocks = without_contents(alone.blocks)
        return msgspec.structs.replace(alone, blocks=blocks, fields=fields)
    title = subjects[1]
    blocks = without_contents(alone.blocks + title.blocks)
    return msgspec.structs.replace(alone, blocks=blocks, parts=title.parts, fields=fields)
