"""Inline Markdown of the common kind, in a fraction of the parser's time."""

import re
from functools import lru_cache

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace

from brain.markdown.blocks import Definitions
from brain.markdown.plain_links import (
    MAX_CHARS,
    HandOverError,
    Piece,
    bracket,
    code_span,
    picture,
    tag_end,
)

#: Marks of the strongest emphasis that is read here.
_STRONG = 2
_SPECIAL = re.compile(r"[\\`\[<*_&~\n]|!\[")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"(\*\*?)([A-Za-z0-9](?:[^\\`\[<*_&~\n!]*[A-Za-z0-9])?)\1(?!\*)", re.ASCII)
_BREAK = re.compile(r"\\?\n[ \t]*")
_ENTITY = re.compile(r"&(?:([A-Za-z][A-Za-z0-9]{1,31});|#)")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "nbsp": "\xa0"}


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
    marks: list[tuple[str, int]] = []
    while position < end:
        found = _SPECIAL.search(content, position, end)
        if found is None:
            pieces.append(("text", content[position:end], "", position))
            break
        start = found.start()
        if start > position:
            pieces.append(("text", content[position:start], "", position))
        if not marks and (emphasis := _EMPHASIS.match(content, start, end)):
            # the words at both its ends leave no doubt
            pieces.append(("text", emphasis[2], "", start))
            position = emphasis.end()
        else:
            position = _special(content, start, end, definitions, pieces, marks)
    _keep(marks, pieces)


def _keep(marks: list[tuple[str, int]], pieces: list[Piece]) -> None:
    """Make text of marks that opened nothing."""
    for run, place in marks:
        pieces[place] = ("text", run, "", pieces[place][3])


def _special(
    content: str,
    start: int,
    end: int,
    definitions: Definitions,
    pieces: list[Piece],
    marks: list[tuple[str, int]],
) -> int:
    character = content[start]
    if character in "*_":
        return _mark(content, start, end, pieces, marks)
    if character == "`":
        return _code(content, start, end, pieces)
    if character == "[":
        return _link(content, start, definitions, pieces)
    if character == "!":
        piece, after = picture(content, start)
        pieces.append(piece)
        return after
    if character == "<":
        return _tag(content, start, end, pieces)
    return _character(content, start, pieces)


def _tag(content: str, start: int, end: int, pieces: list[Piece]) -> int:
    after, tag = tag_end(content, start)
    if after > end or (after > start + 1 and not tag):
        raise HandOverError
    pieces.append(("html", tag, "", start) if tag else ("text", "<", "", start))
    return after


def _character(content: str, start: int, pieces: list[Piece]) -> int:
    character = content[start]
    if character == "\\" and content.startswith("\n", start + 1):
        pieces.append(("break", "", "", start))
        return _BREAK.match(content, start).end()  # type: ignore[union-attr]
    if character == "\n":
        if pieces and pieces[-1][0] == "text":
            pieces[-1] = ("text", pieces[-1][1].rstrip(" "), "", pieces[-1][3])
        pieces.append(("break", "", "", start))
        return _BREAK.match(content, start).end()  # type: ignore[union-attr]
    if character == "\\":
        escaped = _ESCAPED.match(content, start)
        if content.startswith((" ", "`"), start + 1):
            raise HandOverError
        pieces.append(("text", escaped[1] if escaped else "\\", "", start))
        return escaped.end() if escaped else start + 1
    if character == "&" and (entity := _ENTITY.match(content, start)):
        if entity[1] not in _ENTITIES:
            raise HandOverError
        pieces.append(("text", _ENTITIES[entity[1]], "", start))
        return entity.end()
    if character == "~" and content.startswith("~", start + 1):
        raise HandOverError
    pieces.append(("text", character, "", start))
    return start + 1


def _code(content: str, start: int, end: int, pieces: list[Piece]) -> int:
    found = code_span(content, start)
    if found.end() > end:
        raise HandOverError
    code = found[2].replace("\n", " ")
    if code[0] == " " == code[-1] and code.strip(" "):
        code = code[1:-1]
    pieces.append(("code", code, "", start))
    return found.end()


def _link(content: str, start: int, definitions: Definitions, pieces: list[Piece]) -> int:
    piece, after = bracket(content, start, definitions)
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


def _mark(
    content: str, start: int, end: int, pieces: list[Piece], marks: list[tuple[str, int]]
) -> int:
    """Open or close emphasis, or keep marks that do neither as text."""
    character, after = content[start], start + 1
    while after < end and content[after] == character:
        after += 1
    run = content[start:after]
    opens, closes = _flanking(content, start, after, end)
    opener = next((place for place, mark in enumerate(marks) if mark[0][0] == character), None)
    if len(run) > _STRONG and (opens or closes):
        raise HandOverError
    pieces.append(("text", "" if opens or closes else run, "", start))
    if closes and opener is not None:
        if marks[opener][0] != run:
            raise HandOverError
        _keep(marks[opener + 1 :], pieces)
        del marks[opener:]
    elif opens:
        if opener is not None:
            raise HandOverError
        marks.append((run, len(pieces) - 1))
    else:
        pieces[-1] = ("text", run, "", start)
    return after


def _flanking(content: str, start: int, after: int, end: int) -> tuple[bool, bool]:
    """Say whether a run of marks can open and can close emphasis.

    Source: https://spec.commonmark.org/0.31.2/#delimiter-run
    """
    before = content[start - 1] if start else " "
    behind = content[after] if after < end else " "
    white_before, mark_before = _class_of(before)
    white_behind, mark_behind = _class_of(behind)
    left = not (white_behind or (mark_behind and not (white_before or mark_before)))
    right = not (white_before or (mark_before and not (white_behind or mark_behind)))
    if content[start] == "*":
        return left, right
    return left and (not right or mark_before), right and (not left or mark_behind)


@lru_cache(maxsize=1_000)
def _class_of(character: str) -> tuple[bool, bool]:
    """Say whether a character is white space and whether it is punctuation."""
    code = ord(character)
    return isWhiteSpace(code), isMdAsciiPunct(code) or isPunctChar(character)
