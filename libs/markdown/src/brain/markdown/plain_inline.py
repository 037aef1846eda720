"""Inline Markdown of the common kind, in a fraction of the parser's time."""

import re
from collections.abc import Iterator
from typing import Literal

from markdown_it.common.utils import (
    isMdAsciiPunct,
    isPunctChar,
    isWhiteSpace,
    normalizeReference,
)

from brain.markdown.blocks import Definitions
from brain.markdown.wikilinks import split_wikilink

#: Characters of a text that is read here: what is quadratic stays small.
MAX_CHARS = 8_000

Kind = Literal["text", "code", "break", "link", "end", "wikilink", "image", "embed"]
#: Kind, its text, the target of a link or inside of a wikilink, and where it starts.
Piece = tuple[Kind, str, str, int]

_TAG = r"</?[A-Za-z][A-Za-z0-9\-]*>"
_NO_TAG = r"<(?![A-Za-z/!?])"
# Text without brackets in which a bracket can hide only in code spans that are looked at
_LABEL = rf"(?:[^\[\]\\`<]++|`[^`\[\]]++`(?!`)|{_TAG}|{_NO_TAG})*+"
_TARGET = (
    r"(?:<([^<>\n\\]*)>|((?:[^\s()<>\\\x00-\x1f\x7f]|\([^\s()<>\\\x00-\x1f\x7f]*\))*+))"
    r"(?:[ \t\n]+(?:\"[^\"\\]*\"|'[^'\\]*'|\([^()\\]*\)))?[ \t\n]*\)"
)
_LINK = re.compile(rf"\[({_LABEL})\]\([ \t\n]*{_TARGET}")
_IMAGE = re.compile(rf"!\[({_LABEL})\]\([ \t\n]*{_TARGET}")
_LINKED_IMAGE = re.compile(rf"\[!\[({_LABEL})\]\([ \t\n]*{_TARGET}\]\([ \t\n]*{_TARGET}")
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n`\\<]{1,1000})\]\]")
_BRACKETS = re.compile(rf"\[({_LABEL})\]")
_REFERENCE = re.compile(r"\[([^\[\]\\`<]*)\]")
_CODE_SPAN = re.compile(r"(`++)((?s:.*?)[^`])\1(?!`)")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.\-]{1,31}:[^<>\x00-\x20]*)>")
_INERT_TAG = re.compile(_TAG)
_SPECIAL_OF_LINKS = re.compile(r"[\\`\[<]|!\[")
_SPECIAL = re.compile(r"[\\`\[<*_&~\n]|!\[")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BREAK = re.compile(r"\n[ \t]*")
_ENTITY = re.compile(r"&(?:([A-Za-z][A-Za-z0-9]{1,31});|#)")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "nbsp": "\xa0"}


class HandOverError(Exception):
    """The text holds something that only the full parser decides."""


def links_of(content: str, definitions: Definitions) -> list[Piece] | None:
    """Return the links and wikilinks of a text, or None when the full parser has to be asked.

    Code spans, images, escapes and simple tags are passed over; emphasis has no say in what is a
    link. Every piece is a ``link`` or ``wikilink`` without its text.
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
            piece, position = _bracket(content, start, definitions)
            if piece:
                yield piece
        elif character == "!":
            _, position = _picture(content, start)
        elif character == "`":
            position = _code_end(content, start)
        elif character == "\\":
            if content.startswith("`", start + 1):
                raise HandOverError
            position = start + 2
        else:
            position = _tag_end(content, start)


def _code_end(content: str, start: int) -> int:
    if code := _CODE_SPAN.match(content, start):
        return code.end()
    end = start
    while content.startswith("`", end):
        end += 1
    return end


def _tag_end(content: str, start: int) -> int:
    if found := _AUTOLINK.match(content, start) or _INERT_TAG.match(content, start):
        return found.end()
    if content[start + 1 : start + 2] in _TAG_STARTS:
        raise HandOverError
    return start + 1


_TAG_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?")


def _picture(content: str, start: int) -> tuple[Piece, int]:
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


def _bracket(content: str, start: int, definitions: Definitions) -> tuple[Piece | None, int]:
    """Return the link that starts at a bracket, or None for text, and where to go on."""
    if found := _LINK.match(content, start):
        return ("link", found[1], _target(found[2], found[3]), start), found.end()
    if content.startswith("[[", start):
        return _wikilink(content, start, definitions)
    if found := _LINKED_IMAGE.match(content, start):
        return ("link", "", _target(found[4], found[5]), start), found.end()
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


def pieces_of(content: str, definitions: Definitions) -> list[Piece] | None:
    """Take a text apart, or return None when the full parser has to be asked.

    Emphasis is taken out when every mark clearly opens or closes and they nest; the text of a
    link stands between its ``link`` and ``end``.

    Returns:
        Pieces in order. ``text`` and ``code`` as shown, ``break`` for the end of a line.
    """
    if len(content) > MAX_CHARS:
        return None
    pieces: list[Piece] = []
    try:
        _take_apart(content, 0, len(content), definitions, pieces)
    except HandOverError:
        return None
    return pieces


def _take_apart(
    content: str, position: int, end: int, definitions: Definitions, pieces: list[Piece]
) -> None:
    marks: list[str] = []
    while position < end:
        found = _SPECIAL.search(content, position, end)
        if found is None:
            pieces.append(("text", content[position:end], "", position))
            break
        start = found.start()
        if start > position:
            pieces.append(("text", content[position:start], "", position))
        position = _special(content, start, end, definitions, pieces, marks)
    if marks:
        raise HandOverError


def _special(
    content: str,
    start: int,
    end: int,
    definitions: Definitions,
    pieces: list[Piece],
    marks: list[str],
) -> int:
    character = content[start]
    if character in "*_":
        return _mark(content, start, end, pieces, marks)
    if character == "`":
        return _code(content, start, end, pieces)
    if character == "[":
        return _link(content, start, definitions, pieces)
    if character == "!":
        piece, after = _picture(content, start)
        pieces.append(piece)
        return after
    return _character(content, start, pieces)


def _character(content: str, start: int, pieces: list[Piece]) -> int:
    character = content[start]
    if character == "\n":
        if pieces and pieces[-1][0] == "text":
            pieces[-1] = ("text", pieces[-1][1].rstrip(" "), "", pieces[-1][3])
        pieces.append(("break", "", "", start))
        return _BREAK.match(content, start).end()  # type: ignore[union-attr]
    if character == "\\":
        escaped = _ESCAPED.match(content, start)
        if escaped is None and content.startswith("\n", start + 1):
            raise HandOverError
        if escaped and escaped[1] == "`":
            raise HandOverError
        pieces.append(("text", escaped[1] if escaped else "\\", "", start))
        return escaped.end() if escaped else start + 1
    if character == "&" and (entity := _ENTITY.match(content, start)):
        if entity[1] not in _ENTITIES:
            raise HandOverError
        pieces.append(("text", _ENTITIES[entity[1]], "", start))
        return entity.end()
    if (character == "<" and content[start + 1 : start + 2] in _TAG_STARTS) or (
        character == "~" and content.startswith("~", start + 1)
    ):
        raise HandOverError
    pieces.append(("text", character, "", start))
    return start + 1


def _code(content: str, start: int, end: int, pieces: list[Piece]) -> int:
    found = _CODE_SPAN.match(content, start)
    if found is None or found.end() > end:
        raise HandOverError
    code = found[2].replace("\n", " ")
    if code[0] == " " == code[-1] and code.strip(" "):
        code = code[1:-1]
    pieces.append(("code", code, "", start))
    return found.end()


def _link(content: str, start: int, definitions: Definitions, pieces: list[Piece]) -> int:
    piece, after = _bracket(content, start, definitions)
    if piece is None:
        pieces.append(("text", "[", "", start))
        return start + 1
    if piece[0] == "link" and content.startswith("[!", start):
        raise HandOverError
    pieces.append(piece)
    if piece[0] == "link":
        _take_apart(content, start + 1, start + 1 + len(piece[1]), definitions, pieces)
        pieces.append(("end", "", "", after))
    return after


def _mark(content: str, start: int, end: int, pieces: list[Piece], marks: list[str]) -> int:
    """Open or close emphasis, or keep marks that do neither as text."""
    character, after = content[start], start + 1
    while after < end and content[after] == character:
        after += 1
    run = content[start:after]
    opens, closes = _flanking(content, start, after, end)
    if not opens and not closes:
        pieces.append(("text", run, "", start))
    elif len(run) > 2 or (opens and closes):  # noqa: PLR2004
        raise HandOverError
    elif opens:
        if any(mark[0] == character for mark in marks):
            raise HandOverError
        marks.append(run)
    elif not marks or marks.pop() != run:
        raise HandOverError
    return after


def _flanking(content: str, start: int, after: int, end: int) -> tuple[bool, bool]:
    """Say whether a run of marks can open and can close emphasis.

    Source: https://spec.commonmark.org/0.31.2/#delimiter-run
    """
    before = content[start - 1] if start else " "
    behind = content[after] if after < end else " "
    white_before, white_behind = isWhiteSpace(ord(before)), isWhiteSpace(ord(behind))
    mark_before = isMdAsciiPunct(ord(before)) or isPunctChar(before)
    mark_behind = isMdAsciiPunct(ord(behind)) or isPunctChar(behind)
    left = not (white_behind or (mark_behind and not (white_before or mark_before)))
    right = not (white_before or (mark_before and not (white_behind or mark_behind)))
    if content[start] == "*":
        return left, right
    return left and (not right or mark_before), right and (not left or mark_behind)
