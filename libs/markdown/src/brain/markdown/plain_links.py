"""Links of inline texts of the common kind, in a fraction of the parser's time."""

import re
from collections.abc import Iterator
from typing import Literal

from markdown_it.common.html_re import HTML_TAG_RE
from markdown_it.common.utils import (
    normalizeReference,
)

from brain.markdown.blocks import Definitions
from brain.markdown.wikilinks import split_wikilink

#: Characters of a text that is read here: what is quadratic stays small.
MAX_CHARS = 8_000

Kind = Literal["text", "code", "break", "link", "end", "wikilink", "image", "embed", "html"]
#: Kind, its text, the target of a link or inside of a wikilink, and where it starts.
Piece = tuple[Kind, str, str, int]

_TAG = r"</?[A-Za-z][A-Za-z0-9\-]*>"
_NO_TAG = r"<(?![A-Za-z/!?])"
# Text without brackets in which a bracket can hide only in code spans that are looked at
_TEXT_OF_LABEL = rf"[^\[\]\\`<]++|`[^`\[\]]++`(?!`)|\\[^`\n]|{_TAG}|{_NO_TAG}"
_LABEL = rf"(?:{_TEXT_OF_LABEL})*+"
_NESTED_LABEL = rf"(?:{_TEXT_OF_LABEL}|\[{_LABEL}\](?![(\[]))*+"
_TARGET = (
    r"(?:<([^<>\n\\]*)>|((?:[^\s()<>\\\x00-\x1f\x7f]|\([^\s()<>\\\x00-\x1f\x7f]*\))*+))"
    r"(?:[ \t\n]+(?:\"[^\"\\]*\"|'[^'\\]*'|\([^()\\]*\)))?[ \t\n]*\)"
)
_LINK = re.compile(rf"\[({_LABEL})\]\([ \t\n]*{_TARGET}")
_LINK_WITH_BRACKETS = re.compile(rf"\[({_NESTED_LABEL})\]\([ \t\n]*{_TARGET}")
_INNER_BRACKET = re.compile(rf"\[{_LABEL}(?<!!)(?=\[)")
_IMAGE = re.compile(rf"!\[({_LABEL})\]\([ \t\n]*{_TARGET}")
_LINKED_IMAGE = re.compile(rf"\[!\[({_LABEL})\]\([ \t\n]*{_TARGET}\]\([ \t\n]*{_TARGET}")
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n`\\<]{1,1000})\]\]")
_BRACKETS = re.compile(rf"\[({_LABEL})\]")
_REFERENCE = re.compile(r"\[([^\[\]\\`<]*)\]")
_CODE_SPAN = re.compile(r"(`++)((?s:.*?)[^`])\1(?!`)")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.\-]{1,31}:[^<>\x00-\x20]*)>")
_MAIL = re.compile(r"<[^<>\s]*@[^<>\s]*>")
_SPECIAL_OF_LINKS = re.compile(r"[\\`\[<]|!\[")


class HandOverError(Exception):
    """The text holds something that only the full parser decides."""


def links_of(content: str, definitions: Definitions) -> list[Piece] | None:
    """Return the links and wikilinks of a text, or None when the full parser has to be asked.

    Code spans, images, escapes and simple tags are passed over; emphasis has no say in what is a
    link. Every piece is a ``link``, ``wikilink`` or ``html`` tag with an
    ``href``.
    """
    if len(content) > MAX_CHARS:
        return None
    try:
        return [*_links(content, definitions)]
    except HandOverError:
        return None


def _links(content: str, definitions: Definitions) -> Iterator[Piece]:
    position = 0
    while found := _SPECIAL_OF_LINKS.search(content, position):
        start = found.start()
        character = content[start]
        if character == "[":
            piece, position = bracket(content, start, definitions)
            if piece:
                yield piece
        elif character == "!":
            _, position = picture(content, start)
        elif character == "`":
            position = code_span(content, start).end()
        elif character == "\\":
            if content.startswith("`", start + 1):
                raise HandOverError
            position = start + 2
        else:
            end, tag = tag_end(content, start)
            if tag and "href" in tag.lower():
                yield ("html", tag, "", start)
            position = end


def code_span(content: str, start: int) -> re.Match[str]:
    """Match the code span that starts at a backtick."""
    found = _CODE_SPAN.match(content, start)
    if found is None:
        # looking for the end of every run of backticks again would be quadratic
        raise HandOverError
    return found


def tag_end(content: str, start: int) -> tuple[int, str]:
    """Return where to go on after ``<``, and the HTML tag, comment or the like that it starts."""
    if found := _AUTOLINK.match(content, start):
        return found.end(), ""
    if content[start + 1 : start + 2] not in _TAG_STARTS:
        return start + 1, ""
    if found := HTML_TAG_RE.match(content, start):
        return found.end(), found[0]
    if content[start + 1] in "!?" or _MAIL.match(content, start):
        raise HandOverError
    return start + 1, ""


_TAG_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?")


def picture(content: str, start: int) -> tuple[Piece, int]:
    """Return the image or embed that starts at ``!``, and where it ends."""
    if found := _WIKILINK.match(content, start):
        return ("embed", found[0], found[1], start), found.end()
    found = _IMAGE.match(content, start)
    if found is None:
        raise HandOverError
    return ("image", found[1], "", start), found.end()


def _target(bracketed: str | None, bare: str | None) -> str:
    target = bracketed or bare or ""
    if "&" in target and ";" in target:
        raise HandOverError
    return target


def bracket(content: str, start: int, definitions: Definitions) -> tuple[Piece | None, int]:
    """Return the link that starts at a bracket, or None for text, and where to go on."""
    if found := _LINK.match(content, start):
        return ("link", found[1], _target(found[2], found[3]), start), found.end()
    inner = _INNER_BRACKET.match(content, start)
    if inner and _LINK.match(content, inner.end()):
        # no link holds another
        return None, start + 1
    if content.startswith("[[", start):
        return _wikilink(content, start, definitions)
    if found := _LINKED_IMAGE.match(content, start):
        return ("link", "", _target(found[4], found[5]), start), found.end()
    if not definitions.references and (found := _LINK_WITH_BRACKETS.match(content, start)):
        return ("link", found[1], _target(found[2], found[3]), start), found.end()
    found = _BRACKETS.match(content, start)
    if found is None or content.startswith("(", found.end()):
        raise HandOverError
    if not definitions.references:
        return None, found.end()
    reference = _REFERENCE.match(content, found.end())
    if reference is None and content.startswith("[", found.end()):
        raise HandOverError
    label = normalizeReference((reference and reference[1]) or found[1])
    definition = definitions.references.get(label)
    if definition is None:
        return None, found.end()
    end = reference.end() if reference else found.end()
    return ("link", found[1], definition["href"], start), end


def _wikilink(content: str, start: int, definitions: Definitions) -> tuple[Piece, int]:
    found = _WIKILINK.match(content, start)
    if found is None or content.startswith(("(", "["), found.end()):
        raise HandOverError
    if split_wikilink(found[1]) is None:
        raise HandOverError
    if definitions.references and normalizeReference(found[1]) in definitions.references:
        raise HandOverError
    return ("wikilink", found[0], found[1], start), found.end()
