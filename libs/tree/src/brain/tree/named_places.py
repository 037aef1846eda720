"""Named places: what a fragment may lead to besides the nodes of a document.

A browser jumps to explicit ids as it does to headings, and GitHub gives an anchor to every heading
it shows: in quotes, in lists, and in HTML as well. None of these is a node, but a link that leads
to one is not broken.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import unescape

from brain.markdown.blocks import InlineText, Outline
from brain.markdown.inline import Rendered
from brain.markdown.slug import unique_slugs
from brain.tree.sections import MAX_HEADING_CHARS, Section

#: Named places of one document that count, and characters of each name.
MAX_NAMED_PLACES = 2_000
MAX_NAME_CHARS = 200

_HTML_ID = re.compile(r"<[a-z][^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)
# a body ends at the next heading's tag, so that unclosed ones cost no more than they are long
_HTML_HEADING = re.compile(
    r"<h([1-6])(?:\s[^<>]*)?>((?:[^<]++|<(?!/?h[1-6]))*+)</h\1\s*>", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]*>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NO_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|(?<![`\\])(`+)(?!`).{1,2000}?(?<!`)\1(?!`)|\\<", re.DOTALL
)
_NOT_LINE_ENDS = re.compile(r"[^\n]")
#: Dialects whose renderers give an anchor to headings written in HTML.
_ANCHOR_HTML = frozenset({"github", "gitlab"})


def named_places(
    outline: Outline, rendered: Sequence[Rendered], sections: Sequence[Section], dialect: str
) -> tuple[tuple[str, int], ...]:
    """Find the names of places with the number of the node that holds each.

    Explicit ids come first, then the anchors of headings that are no nodes. A heading written in
    HTML counts among the others where GitHub numbers repeats, so that a node may be known by a
    second anchor; the first of a name is meant.

    Args:
        outline: of the document.
        rendered: the texts of its headings, one for each.
        sections: its nodes.
        dialect: one of `brain.markdown.slug.DIALECTS`.
    """
    starts = [section.start for section in sections]
    known = {section.slug for section in sections}
    places: dict[str, int] = {}
    for name, line in (*_ids(outline), *_anchors(outline, rendered, known, dialect)):
        if len(name) <= MAX_NAME_CHARS and len(places) < MAX_NAMED_PLACES:
            places.setdefault(name, max(bisect_right(starts, line) - 1, 0))
    return tuple(places.items())


def _ids(outline: Outline) -> Iterator[tuple[str, int]]:
    for text in outline.texts:
        if "<" not in text.content or not _HTML_ID.search(text.content):
            continue
        content = _markup_of(text)
        for found in _HTML_ID.finditer(content):
            yield found[1], text.line + content.count("\n", 0, found.start())


def _markup_of(text: InlineText) -> str:
    """Blank out comments and code, where nothing is an id; lines stay."""
    hidden = _COMMENT if text.kind == "html" else _NO_MARKUP
    return hidden.sub(lambda found: _NOT_LINE_ENDS.sub(" ", found[0]), text.content)


def _anchors(
    outline: Outline, rendered: Sequence[Rendered], known: set[str], dialect: str
) -> list[tuple[str, int]]:
    """Return every anchor that no node has, with its line."""
    headings = [
        (heading.line, text.slug_text[:MAX_HEADING_CHARS])
        for heading, text in zip(outline.headings, rendered, strict=True)
    ]
    in_html = list(_html_headings(outline)) if dialect in _ANCHOR_HTML else []
    if not in_html and all(heading.top for heading in outline.headings):
        return []
    found = _slugged(headings, dialect)
    if in_html:
        found += _slugged(sorted([*headings, *in_html], key=lambda each: each[0]), dialect)
    return [(slug, line) for slug, line in found if slug and slug not in known]


def _slugged(headings: Sequence[tuple[int, str]], dialect: str) -> list[tuple[str, int]]:
    slugs = unique_slugs((text for _, text in headings), dialect)
    return [(slug, line) for slug, (line, _) in zip(slugs, headings, strict=True)]


def _html_headings(outline: Outline) -> Iterator[tuple[int, str]]:
    for text in outline.texts:
        if text.kind != "html" or "</h" not in text.content.lower():
            continue
        content = _markup_of(text)
        for found in _HTML_HEADING.finditer(content):
            words = unescape(_TAG.sub("", found[2])).split()
            line = text.line + content.count("\n", 0, found.start())
            yield line, " ".join(words)[:MAX_HEADING_CHARS]
