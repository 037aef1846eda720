"""Units of a text: the smallest pieces that a chunk is put together from."""

import re
from collections.abc import Iterator

import msgspec

from brain.search.tokens import estimate_tokens, rough_tokens

#: A unit never has more tokens than this, whatever the text holds.
MAX_UNIT_TOKENS = 800
#: A unit that is roughly no larger is not estimated.
_SURELY_WITHIN = 500
#: Characters of a unit cut out of a line: at four tokens each they stay below the limit.
_CUT_CHARS = 160
#: What `str.splitlines` takes for a line end and Git does not, in ASCII text.
_OTHER_LINE_ENDS = re.compile("[\r\v\f\x1c-\x1e]")
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
    start = 0
    for block, is_code in _blocks(text):
        units += _within_limit(block, start, is_code=is_code)
        start += len(block)
    return units


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield paragraphs and fenced blocks; what is yielded joins to the text."""
    held: list[str] = []
    fence = ""
    is_blank = False
    for line in text.splitlines(keepends=True) if _has_only_lf(text) else _git_lines(text):
        if fence:
            held.append(line)
            if _closes(line, fence):
                yield "".join(held), True
                held, fence = [], ""
            continue
        opened = _opened(line)
        if held and (opened or (is_blank and not line.isspace())):
            yield "".join(held), False
            held = []
        held.append(line)
        fence, is_blank = opened, line.isspace()
    if held:
        yield "".join(held), bool(fence)


def _has_only_lf(text: str) -> bool:
    return text.isascii() and not _OTHER_LINE_ENDS.search(text)


def _git_lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def open_fence(text: str) -> str:
    """Return the fence that *text* opens and does not close, or an empty text."""
    fence = ""
    for line in text.split("\n") if "```" in text or "~~~" in text else ():
        if not fence:
            fence = _opened(line)
        elif _closes(line, fence):
            fence = ""
    return fence


def _opened(line: str) -> str:
    """Return the fence that *line* opens, or an empty text."""
    if "```" not in line and "~~~" not in line:
        return ""
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
    return tokens if tokens <= _SURELY_WITHIN else estimate_tokens(text)


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
