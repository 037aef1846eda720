"""How every summary is worded: one line, no markup, cut at a word."""

import re
from collections.abc import Iterable
from functools import lru_cache

from brain.markdown.blocks import Definitions
from brain.markdown.inline import render_inline
from brain.markdown.visible import visible

MAX_CHARS = 240
#: Markdown beyond this cannot reach a summary and is not parsed for one.
_MAX_SOURCE = 2_000
#: A footnote's number, which GitHub shows as a link.
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
_STRONG = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")


def cut(text: str, limit: int = MAX_CHARS) -> str:
    """Cut *text* to *limit* characters at a word, an ellipsis included.

    A word longer than half the limit is cut through.
    """
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    space = kept.rfind(" ")
    if text[limit - 1] != " " and space > limit // 2:
        kept = kept[:space]
    return kept.rstrip(" ,;:·…") + "…"


def plain(content: str, definitions: Definitions) -> str:
    """Render inline Markdown as the text of a summary."""
    return _rendered(content, definitions)[0]


def prose(content: str, definitions: Definitions) -> str:
    """Render a paragraph, empty when it holds only images (badges, a logo)."""
    text, has_words = _rendered(content, definitions)
    return text if has_words else ""


def _rendered(content: str, definitions: Definitions) -> tuple[str, bool]:
    content = content[:_MAX_SOURCE]
    return _render(content, definitions) if definitions.references else _rendered_alone(content)


# Several rules look at the same paragraph, and manuals repeat theirs
@lru_cache(maxsize=512)
def _rendered_alone(content: str) -> tuple[str, bool]:
    return _render(content, _NO_DEFINITIONS)


_NO_DEFINITIONS = Definitions({})


def _render(content: str, definitions: Definitions) -> tuple[str, bool]:
    rendered = render_inline(content, definitions)
    return _unmarked(visible(rendered.text)), bool(rendered.slug_text.strip())


def _unmarked(text: str) -> str:
    if "[^" in text:
        text = _FOOTNOTE.sub("", text)
    # CommonMark's emphasis needs a space or punctuation around it, which many scripts do not write
    return _STRONG.sub(r"\1", text) if "**" in text and not text.isascii() else text


def joined(parts: Iterable[str], separator: str) -> str:
    """Join the parts that fit, the last one cut; stops reading when full."""
    text = ""
    for part in parts:
        text = f"{text}{separator}{part}" if text else part
        if len(text) > MAX_CHARS:
            break
    return cut(text)
