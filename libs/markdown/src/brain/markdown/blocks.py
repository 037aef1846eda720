"""Block structure of a document: headings, blocks and the texts that may hold links."""

from functools import cache
from typing import Literal

import msgspec
from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import heading, html_block, lheading, paragraph
from markdown_it.token import Token

from brain.markdown import block_rules

BlockKind = Literal[
    "paragraph", "list", "table", "fence", "code", "html", "quote", "rule", "heading"
]

#: Top-level headings that are read; later ones stay text of the node before them.
MAX_HEADINGS = 2_000
#: Items of a list that are kept for summaries.
MAX_ITEMS = 20
#: Paragraphs of a quote that are kept for summaries.
MAX_QUOTED = 2

#: Level of the inline token in the nest of list, item and paragraph.
_ITEM_TEXT_LEVEL = 3

_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table": "table",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "blockquote_open": "quote",
    "hr": "rule",
    "heading_open": "heading",
}


class Heading(msgspec.Struct, frozen=True, array_like=True):
    """A heading outside fences, HTML blocks and comments. Lines are the parser's, from 0."""

    line: int
    level: int
    #: Inline Markdown, trimmed.
    content: str
    #: False inside a quote or list: it takes a slug and is no node.
    top: bool


class Block(msgspec.Struct, frozen=True, array_like=True):
    """A top-level block. Lines are the parser's, from 0, the end exclusive."""

    kind: BlockKind
    start: int
    end: int
    #: Inline Markdown of a paragraph or heading, the lines of a table, the info and
    #: first line of a fence, the first two paragraphs of a quote, HTML as it is written.
    content: str = ""
    #: Inline Markdown of the first paragraph of a list's items, the first `MAX_ITEMS`.
    items: tuple[str, ...] = ()


class InlineText(msgspec.Struct, frozen=True, array_like=True):
    """Inline Markdown, or raw HTML, anywhere in the document."""

    line: int
    content: str
    kind: Literal["text", "heading", "table", "html"]


class Definitions(msgspec.Struct, frozen=True):
    """Link definitions: normalised label to ``href``, in the form the inline parser takes."""

    references: dict[str, dict[str, str]]


class Outline(msgspec.Struct, frozen=True):
    """What a document is made of, in document order."""

    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    texts: tuple[InlineText, ...]
    definitions: Definitions


def as_written(url: str) -> str:
    """Keep a destination as the document writes it; the tree decodes and judges it."""
    return url


def accept_any(url: str) -> bool:  # noqa: ARG001 - markdown-it-py passes it
    """Accept every destination: CommonMark has no forbidden schemes."""
    return True


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    # an attribute, not a subclass: the parser calls both through its instance
    parser.normalizeLink = as_written  # type: ignore[method-assign]
    parser.validateLink = accept_any  # type: ignore[method-assign]
    parser.disable("inline", ignoreInvalid=True)
    rules = parser.block.ruler
    rules.at("table", block_rules.table, {"alt": ["paragraph", "reference"]})
    rules.enable("table")
    rules.at("reference", block_rules.definition)
    closing: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    rules.at("html_block", block_rules.beyond_comments(html_block), closing)
    rules.at("heading", block_rules.beyond_comments(heading), closing)
    rules.at("lheading", block_rules.beyond_comments(lheading))
    rules.at("paragraph", block_rules.beyond_comments(paragraph))
    rules.before("reference", "footnote", block_rules.footnote, closing)
    rules.before("table", "too_deep", block_rules.too_deep)
    parser.options["maxNesting"] = 4 * block_rules.MAX_LEVEL
    return parser


def parse_outline(text: str) -> Outline:
    """Parse the blocks of a document.

    CommonMark with GFM tables; what `brain.markdown.block_rules` changes comes on top. About
    linear in the text, never recursing deeper than `block_rules.MAX_LEVEL` lists and quotes.

    Args:
        text: without byte order mark and front matter, LF the only line ending.
    """
    environment: dict[str, object] = {}
    tokens: list[Token] = []
    # straight to the block parser: the core chain would only normalise line ends again
    parser = _parser()
    parser.block.parse(
        text.replace("\x00", "\N{REPLACEMENT CHARACTER}"), parser, environment, tokens
    )
    return Outline(*_read_tokens(tokens), _definitions(environment))


def _definitions(environment: dict[str, object]) -> Definitions:
    references = environment.get("references", {})
    if not isinstance(references, dict):
        return Definitions({})
    return Definitions(
        {label: {"href": item["href"], "title": ""} for label, item in references.items()}
    )


def _read_tokens(
    tokens: list[Token],
) -> tuple[tuple[Heading, ...], tuple[Block, ...], tuple[InlineText, ...]]:
    headings: list[Heading] = []
    blocks: list[Block] = []
    texts: list[InlineText] = []
    room = MAX_HEADINGS
    for position, token in enumerate(tokens):
        if token.type == "heading_open" and room:
            headings.append(_heading(token, tokens[position + 1]))
            room -= headings[-1].top
        if token.type in _TEXT_KINDS:
            texts.append(_text(token, tokens[position - 1]))
        if token.level == 0 and token.type in _KINDS:
            blocks.append(_block(tokens, position))
    return tuple(headings), tuple(blocks), tuple(texts)


_TEXT_KINDS: dict[str, Literal["text", "table", "html"]] = {
    "inline": "text",
    "table": "table",
    "html_block": "html",
}


def _text(token: Token, before: Token) -> InlineText:
    kind = "heading" if before.type == "heading_open" else _TEXT_KINDS[token.type]
    return InlineText(_start(token), token.content, kind)


def _start(token: Token) -> int:
    return token.map[0] if token.map else 0


def _heading(opening: Token, inline: Token) -> Heading:
    return Heading(_start(opening), int(opening.tag[1]), inline.content, opening.level == 0)


def _block(tokens: list[Token], position: int) -> Block:
    token = tokens[position]
    kind = _KINDS[token.type]
    start, end = token.map or (0, 0)
    if kind in ("paragraph", "heading"):
        return Block(kind, start, end, tokens[position + 1].content)
    if kind == "list":
        return Block(kind, start, end, "", _items(tokens, position))
    if kind == "fence":
        first_line = token.content.lstrip("\n").partition("\n")[0]
        return Block(kind, start, end, f"{token.info.strip()}\n{first_line.strip()}")
    if kind == "quote":
        return Block(kind, start, end, _quoted(tokens, position))
    return Block(kind, start, end, token.content if kind in ("table", "html") else "")


def _quoted(tokens: list[Token], position: int) -> str:
    paragraphs: list[str] = []
    for index in range(position + 1, len(tokens)):
        token = tokens[index]
        if token.level == 0 or len(paragraphs) == MAX_QUOTED:
            break
        if token.level == 1 and token.type == "paragraph_open":
            paragraphs.append(tokens[index + 1].content)
    return "\n\n".join(paragraphs)


def _items(tokens: list[Token], position: int) -> tuple[str, ...]:
    items: list[str] = []
    for index in range(position + 1, len(tokens)):
        token = tokens[index]
        if token.level == 0 or len(items) == MAX_ITEMS:
            break
        opens_item = tokens[index - 2].type == "list_item_open"
        if token.type == "inline" and token.level == _ITEM_TEXT_LEVEL and opens_item:
            items.append(token.content)
    return tuple(items)
