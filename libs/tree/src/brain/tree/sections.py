"""Headings to nodes: anchors, parents and line ranges."""

from collections.abc import Sequence

import msgspec

from brain.markdown.blocks import Heading
from brain.markdown.inline import Rendered
from brain.markdown.slug import EXPLICIT_ID_DIALECTS, unique_slugs
from brain.markdown.slug_dialects import split_explicit_id
from brain.tree.node import NodeKind
from brain.tree.reference_ids import leading_id

#: Characters of a heading that its title and anchor are made of.
MAX_HEADING_CHARS = 1_000
#: Title of a heading without text.
UNTITLED = "(untitled)"


class Section(msgspec.Struct, frozen=True):
    """A node without its texts; lines are the parser's, from 0, ends exclusive."""

    kind: NodeKind
    anchor: str
    slug: str
    level: int
    parent: int
    title: str
    start: int
    own_end: int
    end: int


def build_sections(
    headings: Sequence[Heading], rendered: Sequence[Rendered], line_count: int, dialect: str
) -> tuple[Section, ...]:
    """Turn headings into the nodes of a document, the document itself first.

    A parent is the nearest earlier heading of a smaller level. A heading that starts with a
    reference id is a card anchored by that id; a repeated id makes a section under its slug. A
    heading in a quote or list is no node but takes a slug, so that later anchors equal GitHub's.
    An empty heading is a section named `UNTITLED`.

    Args:
        headings: in document order; *rendered* has one entry for each.
        rendered: their texts.
        line_count: lines of the parser's text.
        dialect: one of `brain.markdown.slug.DIALECTS`.
    """
    slugs = unique_slugs((text.slug_text[:MAX_HEADING_CHARS] for text in rendered), dialect)
    tops = [number for number, heading in enumerate(headings) if heading.top]
    anchors = _anchors([slugs[n] for n in tops], [leading_id(rendered[n].text) for n in tops])
    levels = [0, *(headings[n].level for n in tops)]
    starts = [0, *(headings[n].line for n in tops), line_count]
    parents, ends = _nesting(levels, starts)
    sections = [Section("document", "", "", 0, -1, "", 0, starts[1], line_count)]
    for number, top in enumerate(tops, start=1):
        is_card, anchor = anchors[number - 1]
        kind: NodeKind = "card" if is_card else "section"
        title = _title(rendered[top].text[:MAX_HEADING_CHARS], dialect)
        sections.append(
            Section(
                kind,
                anchor,
                slugs[top],
                levels[number],
                parents[number],
                title,
                starts[number],
                starts[number + 1],
                ends[number],
            )
        )
    return tuple(sections)


def _title(text: str, dialect: str) -> str:
    if dialect in EXPLICIT_ID_DIALECTS:
        text = split_explicit_id(text)[0]
    return text or UNTITLED


def _nesting(levels: list[int], starts: list[int]) -> tuple[list[int], list[int]]:
    parents = [-1] * len(levels)
    ends = [starts[-1]] * len(levels)
    open_nodes: list[int] = []
    for number, level in enumerate(levels):
        while open_nodes and levels[open_nodes[-1]] >= level:
            ends[open_nodes.pop()] = starts[number]
        if open_nodes:
            parents[number] = open_nodes[-1]
        open_nodes.append(number)
    return parents, ends


def _anchors(slugs: list[str], ids: list[str]) -> list[tuple[bool, str]]:
    taken = {*slugs, *ids}
    claimed: set[str] = set()
    anchors: list[tuple[bool, str]] = []
    for slug, reference_id in zip(slugs, ids, strict=True):
        is_card = bool(reference_id) and reference_id not in claimed
        anchor = reference_id if is_card else slug or _anchor_of_nothing(taken)
        claimed.add(anchor)
        anchors.append((is_card, anchor))
    return anchors


def _anchor_of_nothing(taken: set[str]) -> str:
    # GitHub's own repeats of an empty slug are -1, -2; only the first needs a name of ours
    anchor = "-0"
    while anchor in taken:
        anchor += "-0"
    return anchor
