"""The blocks of a node that may say something about it."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from brain.markdown.blocks import Block, Definitions
from brain.tree.summary.wording import prose

_SILENT_BLOCKS = frozenset({"rule", "heading"})
#: Blocks of one node that are looked at.
_MAX_BLOCKS = 40
#: Raw HTML of fewer words is a logo, badges or a frame around something.
_LEAST_HTML_WORDS = 5
_MAX_HTML = 4_000

_MAY_BE_SILENT = ("!", "[", "{", "<", "import ", "export ")
# Possessive, or text between braces could be split in exponentially many ways
_DIRECTIVES = re.compile(
    r"(?:\s|\{\{(?:(?!\}\}).)*+\}\}|\{%(?:(?!%\}).)*+%\}|<[^<>]*+>"
    r"|\[!INCLUDE\s*\[[^\]]*+\]\s*\([^)]*+\)\]"
    r"|^(?:import|export)\s[^\n]*(?:from\s|=)[^\n]*$)++",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_MAX_DIRECTIVES = 2_000
_LINK_INSIDE = re.compile(r"\[[^\n]*\]\(#[^\n]*\)\s*", re.DOTALL)
_PROSE_HTML = re.compile(
    r"\s*<(?:p|div|center|b|strong|em|i|span|blockquote|h[1-6])\b", re.IGNORECASE
)
_NO_PROSE_HTML = re.compile(
    r"<!--.*?(?:-->|\Z)|<(h[1-6]|script|style|pre|svg|table|details|select)\b.*?(?:</\1\s*>|\Z)"
    r"|<[^<>]*>",
    re.DOTALL | re.IGNORECASE,
)
_MARKUP = re.compile(r"([\\`*_\[\]<!~])")


def own_blocks(
    starts: Sequence[int], blocks: Iterable[Block], definitions: Definitions
) -> list[tuple[Block, ...]]:
    """Give every node the blocks before its first child that may speak for it.

    Left out are rules, headings, raw HTML without prose, and, beside blocks of other kinds,
    paragraphs of only images or template directives. HTML with prose becomes a paragraph.

    Args:
        starts: first line of every node, in document order.
        blocks: of the document, in order.
        definitions: link definitions of the document.
    """
    owned: list[list[Block]] = [[] for _ in starts]
    number = 0
    for block in blocks:
        while number + 1 < len(starts) and block.start >= starts[number + 1]:
            number += 1
        if block.kind in _SILENT_BLOCKS or len(owned[number]) == _MAX_BLOCKS:
            continue
        spoken = _of_html(block) if block.kind == "html" else block
        if spoken is not None:
            owned[number].append(spoken)
    return [_speaking(each, definitions) for each in owned]


def _of_html(block: Block) -> Block | None:
    html = block.content[:_MAX_HTML]
    if not _PROSE_HTML.match(html):
        return None
    words = _NO_PROSE_HTML.sub(" ", html).split()
    if len(words) < _LEAST_HTML_WORDS:
        return None
    text = _MARKUP.sub(r"\\\1", " ".join(words))
    return msgspec.structs.replace(block, kind="paragraph", content=text)


def _speaking(blocks: list[Block], definitions: Definitions) -> tuple[Block, ...]:
    kept = tuple(block for block in blocks if not _is_silent(block, definitions))
    return kept or tuple(block for block in blocks if not _is_directive(block))


def _is_silent(block: Block, definitions: Definitions) -> bool:
    if block.kind != "paragraph" or not block.content.startswith(_MAY_BE_SILENT):
        return False
    return _is_directive(block) or not prose(block.content, definitions)


def _is_directive(block: Block) -> bool:
    if block.kind != "paragraph" or not block.content.startswith(_MAY_BE_SILENT):
        return False
    return _DIRECTIVES.fullmatch(block.content, 0, _MAX_DIRECTIVES) is not None


def without_contents(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Leave out tables of contents: lists whose items are only links inside the document."""
    return tuple(block for block in blocks if not _is_contents(block))


def _is_contents(block: Block) -> bool:
    if block.kind != "list" or not block.items:
        return False
    return all(len(item) < _MAX_DIRECTIVES and _LINK_INSIDE.fullmatch(item) for item in block.items)
