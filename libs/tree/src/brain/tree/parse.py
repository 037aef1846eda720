"""Bytes to a parsed document: everything about a document but what its path decides."""

import msgspec

from brain.markdown.blocks import Outline, parse_outline
from brain.markdown.front_matter import FrontMatter, read_front_matter
from brain.markdown.inline import render_inline
from brain.markdown.line_index import (
    ParserSource,
    count_lines,
    decode_text,
    line_offsets,
    parser_source,
)
from brain.markdown.plain_blocks import scan_outline
from brain.markdown.visible import visible
from brain.tree.config import TreeConfig
from brain.tree.document import Facts
from brain.tree.document_references import (
    MAX_REFERENCES,
    FoundReference,
    find_references,
)
from brain.tree.facts import first_text, read_facts
from brain.tree.link_targets import name_key
from brain.tree.named_places import named_places
from brain.tree.node import Node
from brain.tree.reference import DefinitionKind
from brain.tree.sections import MAX_HEADING_CHARS, UNTITLED, Section, build_sections
from brain.tree.summary.nodes import summarise_nodes

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


class PathFreeDefinition(msgspec.Struct, frozen=True, array_like=True):
    """A definition that waits for its path."""

    key: str
    kind: DefinitionKind
    anchor: str


class ParsedDocument(msgspec.Struct, frozen=True):
    """A function of a blob's bytes and the config alone; `brain.tree.place` adds the path."""

    #: Node 0 has an empty title when only the file name can give one.
    nodes: tuple[Node, ...]
    references: tuple[FoundReference, ...]
    definitions: tuple[PathFreeDefinition, ...]
    facts: Facts
    warnings: tuple[str, ...]
    #: Names of places that are no nodes, each with the number of the node that holds it.
    html_anchors: tuple[tuple[str, int], ...]
    #: Whether the blocks were read without the full parser; it changes nothing else.
    fast: bool = False


def parse_document(data: bytes, config: TreeConfig) -> ParsedDocument:
    """Parse one Markdown blob; never raises.

    Malformed UTF-8 reads as U+FFFD, a byte order mark as nothing. Lines are Git's.

    Args:
        data: the blob, at most 2 MiB by the rules of inclusion.
        config: the settings of the repository at the commit.
    """
    text = decode_text(data)
    mark = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    front_matter = read_front_matter(text[mark:])
    lead = mark + front_matter.length
    source = parser_source(text[lead:])
    scanned = scan_outline(source.text)
    outline = scanned or parse_outline(source.text)
    rendered = [render_inline(item.content, outline.definitions) for item in outline.headings]
    sections = build_sections(outline.headings, rendered, count_lines(source.text), config.dialect)
    facts = read_facts(front_matter.fields)
    lines = _Lines(text, source, text.count("\n", 0, lead))
    found = find_references(outline, sections)
    nodes = _nodes(sections, outline, front_matter, facts, lines)
    return ParsedDocument(
        nodes=nodes,
        references=tuple(_placed(each, nodes, lines) for each in found[:MAX_REFERENCES]),
        definitions=_definitions(sections, facts),
        facts=facts,
        warnings=(*front_matter.warnings, *_excess(len(found))),
        html_anchors=named_places(outline, rendered, sections, config.dialect),
        fast=scanned is not None,
    )


def _excess(count: int) -> tuple[str, ...]:
    if count <= MAX_REFERENCES:
        return ()
    return (f"makes {count} references, of which the first {MAX_REFERENCES} count",)


def _placed(found: FoundReference, nodes: tuple[Node, ...], lines: "_Lines") -> FoundReference:
    """Put a reference on its Git line, and into the node that holds this line.

    Another than it was found in only where a lone CR puts the next heading on the same line.
    """
    line, node = lines.of(found.line), found.node
    while line > nodes[node].own_line_end and nodes[node + 1 : node + 2]:
        node += 1
    return msgspec.structs.replace(found, line=line, node=node)


class _Lines:
    """Git lines of parser lines, and characters between Git lines."""

    def __init__(self, text: str, source: ParserSource, lead: int) -> None:
        self._source = source
        self._lead = lead
        self._parser_lines = count_lines(source.text)
        self._offsets = line_offsets(text)
        self.total = len(self._offsets) - 1

    def of(self, parser_line: int) -> int:
        return self._lead + self._source.git_line(parser_line) + 1

    def before(self, parser_line: int) -> int:
        """Return the last line before *parser_line*, which may be one past the last."""
        return self.total if parser_line >= self._parser_lines else self.of(parser_line) - 1

    def chars(self, first: int, last: int) -> int:
        return self._offsets[last] - self._offsets[first - 1] if last >= first else 0


def _nodes(
    sections: tuple[Section, ...],
    outline: Outline,
    front_matter: FrontMatter,
    facts: Facts,
    lines: _Lines,
) -> tuple[Node, ...]:
    fields = front_matter.fields
    summaries = summarise_nodes(sections, outline, fields, facts)
    children = [0] * len(sections)
    for section in sections[1:]:
        children[section.parent] += 1
    titles = [_document_title(first_text(fields, "title"), sections, first_text(fields, "name"))]
    titles += [section.title for section in sections[1:]]
    return tuple(
        _node(section, visible(titles[number]), summaries[number], children[number], lines)
        for number, section in enumerate(sections)
    )


def _document_title(title: str, sections: tuple[Section, ...], name: str) -> str:
    tops = [section.title for section in sections if section.level == 1]
    only_top = tops[0] if len(tops) == 1 and tops[0] != UNTITLED else ""
    return (title or only_top or name)[:MAX_HEADING_CHARS]


def _node(
    section: Section, title: str, summary: tuple[str, str], child_count: int, lines: _Lines
) -> Node:
    is_document = section.kind == "document"
    start = 1 if is_document else lines.of(section.start)
    # a lone CR can put two headings on one Git line: the first still owns its line
    least = 0 if is_document else start
    end = max(lines.before(section.end), least)
    return Node(
        kind=section.kind,
        anchor=section.anchor,
        slug=section.slug,
        level=section.level,
        parent=section.parent,
        title=title,
        summary=summary[0],
        summary_source=summary[1],
        line_start=start,
        own_line_end=max(lines.before(section.own_end), least),
        line_end=end,
        size_chars=lines.chars(start, end),
        child_count=child_count,
    )


def _definitions(sections: tuple[Section, ...], facts: Facts) -> tuple[PathFreeDefinition, ...]:
    found = [PathFreeDefinition(name_key(alias), "alias", "") for alias in facts.aliases]
    if facts.id:
        found.append(PathFreeDefinition(f"id:{facts.id}", "id", ""))
    found += [
        PathFreeDefinition(f"id:{section.anchor}", "id", section.anchor)
        for section in sections
        if section.kind == "card"
    ]
    return tuple(found)
