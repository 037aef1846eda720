"""References a document makes: links, wikilinks and mentions of ids, before it has a path."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from brain.markdown.blocks import Definitions, InlineText, Outline
from brain.markdown.inline import InlineLink, Prose, html_links, read_inline, read_links
from brain.markdown.table_cells import split_row
from brain.markdown.wikilinks import split_wikilink
from brain.tree.link_targets import is_attachment, name_key, read_target
from brain.tree.reference import ReferenceKind
from brain.tree.reference_ids import mentioned_ids
from brain.tree.sections import Section

_MAY_BE_ANCHOR = re.compile(r"<a\s", re.IGNORECASE)
# Starting at the hyphen lets the search skip to it
_MAY_MENTION = re.compile(r"-(?<=[A-Z0-9]-)[0-9]{2}")
_NEEDS_PARSING = re.compile(r"[\\`\[\]<&*_]")


#: References of one document that count, mentions included.
MAX_REFERENCES = 20_000


class FoundReference(msgspec.Struct, frozen=True, array_like=True):
    """A `Reference` whose link path waits for the path of its document."""

    kind: ReferenceKind
    node: int
    line: int
    #: Key of a wikilink or mention; of a link, and a wikilink inside the document, its path.
    pointer: str
    fragment: str
    target: str


def find_references(outline: Outline, sections: Sequence[Section]) -> tuple[FoundReference, ...]:
    """Find the references of a document in order of appearance.

    Each belongs to the deepest node that holds its line. A heading does not mention the id it
    defines. Lines are the parser's, from 0.
    """
    starts = [section.start for section in sections]
    found: list[FoundReference] = []
    is_defined = bool(outline.definitions.references)
    for text in outline.texts:
        if not _is_candidate(text.content, is_defined=is_defined):
            continue
        for item in _items(text, outline.definitions):
            line = text.line + item.line
            node = max(bisect_right(starts, line) - 1, 0)
            section = sections[node]
            defined = section.anchor if _defines(text, section) else ""
            found.extend(_references(item, node, line, defined))
    return tuple(found)


def _defines(text: InlineText, section: Section) -> bool:
    return text.kind == "heading" and section.kind == "card" and text.line == section.start


def _items(text: InlineText, definitions: Definitions) -> Iterable[InlineLink | Prose]:
    content = text.content
    if text.kind == "html":
        return html_links(content)
    if text.kind == "table":
        return _table_items(content, definitions)
    return _inline_items(content, definitions)


def _table_items(content: str, definitions: Definitions) -> Iterator[InlineLink | Prose]:
    for number, row in enumerate(content.split("\n")):
        if _is_candidate(row, is_defined=bool(definitions.references)):
            for cell in split_row(row):
                for item in _inline_items(cell, definitions):
                    yield msgspec.structs.replace(item, line=number)


def _may_link(content: str, *, is_defined: bool) -> bool:
    if "[" in content and (is_defined or "](" in content or "[[" in content or "][" in content):
        return True
    return "<" in content and _MAY_BE_ANCHOR.search(content) is not None


def _may_mention(content: str) -> bool:
    return "-" in content and _MAY_MENTION.search(content) is not None


def _is_candidate(content: str, *, is_defined: bool) -> bool:
    return _may_link(content, is_defined=is_defined) or _may_mention(content)


def _inline_items(content: str, definitions: Definitions) -> Sequence[InlineLink | Prose]:
    may_mention = _may_mention(content)
    if not may_mention:
        if not _may_link(content, is_defined=bool(definitions.references)):
            return ()
        links = read_links(content, definitions)
        if links is not None:
            return links
    if _NEEDS_PARSING.search(content):
        return read_inline(content, definitions)
    return [Prose(number, line) for number, line in enumerate(content.split("\n"))]


def _references(
    item: InlineLink | Prose, node: int, line: int, defined: str
) -> Iterator[FoundReference]:
    if isinstance(item, Prose):
        for name in mentioned_ids(item.text):
            if name != defined:
                yield FoundReference("mention", node, line, f"id:{name}", "", name)
    elif item.kind == "wikilink":
        yield from _wikilink(item, node, line)
    elif target := read_target(item.target):
        yield FoundReference("link", node, line, target.path, target.fragment, item.target)


def _wikilink(item: InlineLink, node: int, line: int) -> Iterator[FoundReference]:
    parts = split_wikilink(item.target)
    if parts is None or is_attachment(parts.target):
        return
    pointer = name_key(parts.target) if parts.target else ""
    written = f"{parts.target}#{parts.fragment}" if parts.fragment else parts.target
    yield FoundReference("wikilink", node, line, pointer, parts.fragment, written)
