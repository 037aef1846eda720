"""Block rules that differ from markdown-it-py's CommonMark, each for a reason given here."""

import re
from bisect import bisect_left

from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock, heading, html_block, lheading, paragraph, reference
from markdown_it.rules_block import table as gfm_table

#: Lists and quotes deeper than this are text: it bounds recursion and rescanning of lines.
MAX_LEVEL = 40

_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
_COMMENT_OR_CODE = re.compile(r"\\[\\`<]|`+|<!--")


def too_deep(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001
    """Swallow one line nested deeper than `MAX_LEVEL`.

    Without it the parser would skip from there to the end of the document, headings and all.
    """
    if silent or state.level < MAX_LEVEL:
        return False
    state.line = start + 1
    return True


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Recognise a GFM table as one token that holds its lines.

    The original makes five tokens a cell and completes short rows, so 31 KiB can become 200,000
    tokens. A table has to be known all the same: a ``---`` line after its rows is no underline.

    Source: https://github.github.com/gfm/#tables-extension-
    """
    if not gfm_table(state, start, end, True):  # noqa: FBT003
        return False
    if silent:
        return True
    terminators = state.md.block.ruler.getRules("blockquote")
    line = start + 2
    while line < end and not _ends_table(state, line):
        if any(rule(state, line, end, True) for rule in terminators):  # noqa: FBT003
            break
        line += 1
    _push_lines(state, "table", start, line)
    return True


def _ends_table(state: StateBlock, line: int) -> bool:
    return state.sCount[line] < state.blkIndent or state.isEmpty(line) or state.is_code_block(line)


def footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Read ``[^name]: text`` as a paragraph of its own.

    CommonMark would take it for a link definition, and its text for a target; and a ``---``
    below it would make a heading of it. As on GitHub it may end a paragraph before it.
    """
    if state.is_code_block(start):
        return False
    if not _FOOTNOTE.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    return silent or paragraph(state, start, end, False)  # noqa: FBT003


def definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Read a link definition; a footnote's is none, wherever it stands."""
    if _FOOTNOTE.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    return reference(state, start, end, silent)


def beyond_comments(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Let a block that opens an HTML comment run to the line that closes it.

    CommonMark ends the block at the first blank line and shows what follows; text inside a
    comment, blank lines included, is no heading here. A comment that never closes is text.
    """

    def with_comments(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
        count = len(state.tokens)
        if not rule(state, start, end, silent):
            return False
        if silent:
            return True
        closing = closing_line(state, start, state.line)
        if closing is None:
            return True
        if rule is lheading:
            # the underline is inside the comment
            del state.tokens[count:]
            return False
        state.line = closing + 1
        if rule is heading:
            opened = state.tokens[count + 1]
            opened.content = opened.content[: opened.content.rfind("<!--")].rstrip(" \t")
            return True
        holder = state.tokens[count] if rule is html_block else state.tokens[count + 1]
        state.tokens[count].map = holder.map = [start, state.line]
        holder.content = _lines(state, start, state.line)
        return True

    return with_comments


def closing_line(state: StateBlock, start: int, end: int) -> int | None:
    """Return the line that closes a comment left open in the lines *start* to *end*, or None."""
    first, last = state.bMarks[start], state.eMarks[end - 1]
    opener = state.src.rfind("<!--", first, last)
    if opener < 0 or state.src.find("-->", opener + 4, last) >= 0:
        return None
    if state.src.startswith(("<!-->", "<!--->"), opener) or _is_escaped(state.src, opener):
        return None
    closer = _next_closer(state, last)
    if closer < 0 or _in_code(state.src[first:last], opener - first):
        return None
    line = bisect_left(state.eMarks, closer, lo=end - 1)
    return line if line < state.lineMax else None


def _is_escaped(text: str, position: int) -> bool:
    before = text[max(position - 64, 0) : position]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _next_closer(state: StateBlock, position: int) -> int:
    # The last closer is remembered, or every opener after it would search to the end again
    if "last_closer" not in state.env:
        state.env["last_closer"] = state.src.rfind("-->")
    return state.src.find("-->", position) if position <= state.env["last_closer"] else -1


def _in_code(text: str, position: int) -> bool:
    runs = [found for found in _COMMENT_OR_CODE.finditer(text) if found[0][0] == "`"]
    closers: dict[int, list[int]] = {}
    for run in runs:
        closers.setdefault(len(run[0]), []).append(run.start())
    inside_until = 0
    for run in runs:
        if run.start() >= position:
            return False
        if run.start() < inside_until:
            continue
        starts = closers[len(run[0])]
        following = bisect_left(starts, run.end())
        if following == len(starts):
            continue
        inside_until = starts[following] + len(run[0])
        if inside_until > position:
            return True
    return False


def _push_lines(state: StateBlock, kind: str, start: int, end: int) -> None:
    token = state.push(kind, "", 0)
    token.map = [start, end]
    token.content = _lines(state, start, end)
    token.children = []
    state.line = end


def _lines(state: StateBlock, start: int, end: int) -> str:
    return state.getLines(start, end, state.blkIndent, False).strip(" \t\n")  # noqa: FBT003
