"""Units of a text: the smallest pieces that a chunk is put together from."""

import re
from collections.abc import Iterator

import msgspec

from brain.search.tokens import estimate_tokens, rough_tokens

#: A unit never has more tokens than this, whatever the text holds.
MAX_UNIT_TOKENS = 800
#: A unit that is roughly no larger, or no smaller, is not estimated.
_SURELY_WITHIN = 500
_SURELY_BEYOND = 1_300
#: Characters of a unit cut out of a line: at four tokens each they stay below the limit.
_CUT_CHARS = 160
#: Lines that say nothing, with the end of the one before them.
_BLANK = re.compile(r"\n\s*\n")
_MARKS = re.compile(r"```|~~~")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+>]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)", re.DOTALL)


class Unit(msgspec.Struct, frozen=True, array_like=True):
    """A range of characters, the end exclusive; units of a text adjoin."""

    start: int
    end: int
    tokens: int
    is_code: bool


def split_units(text: str) -> list[Unit]:
    """Split *text* into units that cover it.

    A unit is a paragraph with the blank lines behind it, or a fenced block whole with its fences.
    One of more than `MAX_UNIT_TOKENS` is split into its lines, a line into pieces of 160
    characters, at a space where there is one. Linear in the text.
    """
    units: list[Unit] = []
    for start, end, is_code in parts_of(text):
        if is_code:
            units += _within_limit(text[start:end], start, is_code=True)
            continue
        for first, last in _paragraphs(text, start, end):
            units += _within_limit(text[first:last], first, is_code=False)
    return units


#: Range of characters, the end exclusive, and whether it is fenced code.
Part = tuple[int, int, bool]


def parts_of(text: str) -> Iterator[Part]:
    """Yield what is code and what is not, in turn: parts that cover *text*, none empty."""
    start = 0
    for first, end in _fenced(text):
        if start < first:
            yield start, first, False
        yield first, end, True
        start = end
    if start < len(text):
        yield start, len(text), False


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _BLANK.finditer(text, start, end):
        if found.end() < end:
            yield start, found.end()
            start = found.end()
    yield start, end


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of fenced blocks, whole lines; one that is never closed ends the text."""
    fence = ""
    first = 0
    for start, end in _lines_with_marks(text):
        line = text[start:end]
        if not fence:
            fence, first = _opened(line), start
        elif _closes(line, fence):
            yield first, end
            fence = ""
    if fence:
        yield first, len(text)


def _lines_with_marks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the lines that may open or close a fenced block."""
    found = _MARKS.search(text)
    while found:
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end()) + 1 or len(text)
        yield start, end
        found = _MARKS.search(text, end)


def _git_lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def open_fence(text: str) -> str:
    """Return the fence that *text* opens and does not close, or an empty text."""
    fence = ""
    for start, end in _lines_with_marks(text):
        line = text[start:end]
        if not fence:
            fence = _opened(line)
        elif _closes(line, fence):
            fence = ""
    return fence


def _opened(line: str) -> str:
    """Return the fence that *line* opens, or an empty text."""
    found = _FENCE.match(line)
    if not found or (found[1][0] == "`" and "`" in found[2]):
        return ""
    return found[1]


def _closes(line: str, fence: str) -> bool:
    rest = line.strip().lstrip("> \t")
    return len(rest) >= len(fence) and not rest.strip(fence[0])


def _within_limit(block: str, start: int, *, is_code: bool) -> Iterator[Unit]:
    tokens = _tokens(block)
    if tokens <= MAX_UNIT_TOKENS:
        yield Unit(start, start + len(block), tokens, is_code)
        return
    for line in _git_lines(block):
        for piece in _pieces(line):
            yield Unit(start, start + len(piece), _tokens(piece), is_code)
            start += len(piece)


def _tokens(text: str) -> int:
    tokens = rough_tokens(text)
    if _SURELY_WITHIN < tokens < _SURELY_BEYOND:
        return estimate_tokens(text)
    return tokens


def _pieces(line: str) -> Iterator[str]:
    if len(line) <= _CUT_CHARS:
        yield line
        return
    if _tokens(line) <= MAX_UNIT_TOKENS // 2:
        yield line
        return
    at = 0
    while at < len(line):
        end = at + _CUT_CHARS
        if end < len(line):
            space = line.rfind(" ", at + _CUT_CHARS // 2, end)
            end = space + 1 if space > 0 else end
        yield line[at:end]
        at = end
