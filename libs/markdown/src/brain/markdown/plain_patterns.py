"""Lines of CommonMark as regular expressions, for `brain.markdown.plain_blocks`."""

import re
from functools import cache, lru_cache

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block.html_block import HTML_SEQUENCES

from brain.markdown.table_cells import escaped_cells

# A line that may end a paragraph or underline it; everything else goes on with it
_MAY_END = (
    r"(?![-+=<>]|#{1,6}[ \t\n]|`{3}|~{3}|\*[ \t\n]|\*\*[ \t*]|_[ \t]*_[ \t]*_|\[\^"
    r"|[0-9]{1,9}[.)][ \t\n])"
)
_TEXT_LINE = rf" {{0,3}}(?:[^-+=<>#`~*_\[0-9 \t\n]|{_MAY_END}[^ \t\n])[^\n]*+\n"

#: Lines that surely continue a paragraph at the top of a document.
TEXT_RUN = re.compile(rf"(?:{_TEXT_LINE}|(?: {{4}}| {{0,3}}\t)[ \t]*[^ \t\n][^\n]*\n)*+")
#: The same inside lists and quotes, where the width of a tab is not decided.
NESTED_TEXT_RUN = re.compile(rf"(?:{_TEXT_LINE}| {{4,}}[^ \t\n][^\n]*\n)*+")
BLANK_RUN = re.compile(r"(?:[ \t]*\n)*+")
INDENT = re.compile(r"[ \t]*")
UNDERLINE = re.compile(r" {0,3}(?:(-)-*|=+)[ \t]*\n")
THEMATIC_BREAK = re.compile(r"([-*_])[ \t]*+(?:\1[ \t]*+){2,}+\n")
ATX = re.compile(r"(#{1,6})(?:[ \t]([^\n]*))?\n")
FENCE = re.compile(r"(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))\n")
#: What may close a fence behind a tab, whose width is not decided inside lists and quotes.
TABBED_FENCE = re.compile(r"^[ ]*\t[ \t]*(?:```|~~~)", re.MULTILINE)
TAB_INDENT = re.compile(r"^ *\t", re.MULTILINE)
LINE_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
#: A line after the first that starts with white space.
INDENTED_LATER = re.compile(r"\n[ \t]")
#: A quote that is empty or ends on more than one empty line.
BLANK_TAIL = re.compile(r"(?:\A|\n[ \t]*\n)[ \t]*\n\Z|\A[ \t\n]*\Z")
FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
CODE_RUN = re.compile(r"(?:(?:[ \t]*\n)*+(?: {4}| {0,3}\t)[ \t]*+[^ \t\n][^\n]*\n)*+")
QUOTE_RUN = re.compile(r"(?: {0,3}>[^\n]*\n)+")
QUOTE_MARKER = re.compile(r"^ {0,3}> ?", re.MULTILINE)
MARKER = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t\n])")
#: What a link definition has to begin with, perhaps over several lines.
MAY_DEFINE = re.compile(r"\[(?:[^\[\]\\]|\\.)*+\]:", re.DOTALL)
_LABEL = r"\[([^\[\]\\\n]+)\]:[ \t]*"
_BARE_TARGET = r"[^\s\x00-\x1f\x7f\\()]*"
_TITLE = r"([ \t]+(?:\"[^\"\\\n]*\"|'[^'\\\n]*'|\([^()\\\n]*\)))?[ \t]*\n"
DEFINITION = re.compile(rf"{_LABEL}(<[^<>\\\n]*>|(?=[^<\s]){_BARE_TARGET}){_TITLE}")
#: The label alone, and below it a target that surely starts no block of its own.
DEFINITION_ON_TWO_LINES = re.compile(rf"{_LABEL}\n[ \t]*((?=[A-Za-z./]){_BARE_TARGET}){_TITLE}")
MAY_DELIMIT = re.compile(r"[ \t>]*[-:|][-:| \t]*(?:\n|\Z)")
#: A label and words: a second word that is no title makes it a paragraph.
NO_DEFINITION = re.compile(rf"{_LABEL}(?=[^<\s]){_BARE_TARGET}[ \t]+[^\s\"'(]")
_IS_CODE = re.compile(r" {4}| {0,3}\t")
_DELIMITER_ROW = re.compile(r"^ {0,3}(?:[|:][-:| \t]|-[-:|])[-:| \t]*$", re.MULTILINE)
_DELIMITER = re.compile(r":?-+:?")


@lru_cache(maxsize=64)
def closing_fence(marker: str, length: int) -> re.Pattern[str]:
    """Return what closes a fence of *length* markers."""
    return re.compile(rf"^ {{0,3}}{marker}{{{length},}}[ \t]*$\n", re.MULTILINE)


@cache
def item_body(width: int, is_top: bool) -> re.Pattern[str]:  # noqa: FBT001
    """Return the lines after the first that belong to an item indented by *width*.

    In a list of the document itself a tab, wherever it starts, is enough for four columns.
    """
    tabbed = r"| {0,3}\t" if is_top and width <= 4 else ""  # noqa: PLR2004
    return re.compile(rf"(?:(?: {{{width}}}{tabbed})[^\n]*\n|[ \t]*\n)*+")


@cache
def item_indent(width: int) -> re.Pattern[str]:
    """Return the indentation that is taken off the lines of an item."""
    return re.compile(rf"^ {{1,{width}}}", re.MULTILINE)


def html_sequence(line: str) -> tuple[re.Pattern[str], bool] | None:
    """Return what ends the HTML block that *line* opens, and whether it may end a paragraph."""
    for opening, closing, may_interrupt in HTML_SEQUENCES:
        if opening.search(line):
            return closing, may_interrupt
    return None


def table_headers(text: str) -> list[int]:
    """Return where the lines start that are followed by the delimiter row of a table."""
    if "|" not in text:
        return []
    starts: list[int] = []
    for row in _DELIMITER_ROW.finditer(text):
        end = row.start() - 1
        start = text.rfind("\n", 0, max(end, 0)) + 1
        if end >= 0 and _is_header(text[start:end], row[0]):
            starts.append(start)
    return starts


def _is_header(line: str, row: str) -> bool:
    is_code = _IS_CODE.match(line) is not None
    line = line.strip(MD_TRIM_CHARS)
    if is_code or "|" not in line:
        return False
    columns = [part.strip(MD_TRIM_CHARS) for part in row.strip(" \t").split("|")]
    outer = (0, len(columns) - 1)
    if not all(_DELIMITER.fullmatch(c) if c else n in outer for n, c in enumerate(columns)):
        return False
    return len(escaped_cells(line)) == sum(1 for c in columns if c) > 0
