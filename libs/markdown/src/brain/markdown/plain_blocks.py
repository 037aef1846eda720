"""Block structure of plain documents, in a fraction of the parser's time."""

from collections.abc import Callable
from re import Match

from brain.markdown import plain_patterns as patterns
from brain.markdown.blocks import MAX_HEADINGS, MAX_ITEMS, Block, Definitions, Outline
from brain.markdown.plain_found import Found, HandOverError
from brain.markdown.plain_leaves import LAZY, MAX_INDENT, LeafScan

#: Lists and quotes inside each other that are scanned; deeper ones are handed over.
_MAX_DEPTH = 12
#: Columns after a list marker beyond which its text is indented code.
_MAX_GAP = 4


def scan_outline(text: str) -> Outline | None:
    """Read the blocks of a document as `brain.markdown.blocks.parse_outline` does, or give up.

    Headings, paragraphs, fences, indented code, HTML blocks, tables, lists, quotes and link
    definitions are read where one line decides what the next is. Lazy lines, tabs inside lists,
    empty list items, open comments and definitions over several lines are not.

    Returns:
        The same outline as the full parser's, or None where it has to be asked.
    """
    text = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    last_line = text.rfind("\n") + 1
    if not text[last_line:].strip(" \t"):
        text = text[:last_line]
    found = Found(cut_off=not text.endswith("\n"))
    try:
        Scan(text + "\n" if found.cut_off else text, 0, found, 0).run()
    except HandOverError:
        return None
    if sum(heading.top for heading in found.headings) > MAX_HEADINGS:
        return None
    return Outline(
        tuple(found.headings),
        tuple(found.blocks),
        tuple(found.texts),
        Definitions(found.references),
    )


class Scan(LeafScan):
    """Reads the blocks of one container, and the containers in it."""

    def run(self) -> None:
        """Read every block."""
        if self.depth > _MAX_DEPTH:
            raise HandOverError
        text, length = self.text, len(self.text)
        while True:
            if self.position < length and text[self.position] in " \t\n":
                self.pass_to(patterns.BLANK_RUN.match(text, self.position).end())  # type: ignore[union-attr]
            if self.position >= length:
                return
            self._block()

    def _block(self) -> None:
        start = self.indented(self.position)
        if self.is_deep(self.position, start):
            self.code()
            return
        if self.tables and self.has_table(self.position):
            self.table()
            return
        character = self.text[start]
        if character == LAZY:
            raise HandOverError
        reader = _READERS.get(character)
        if reader is None or not reader(self, start):
            self.paragraph()

    def quote(self, start: int) -> bool:  # noqa: ARG002 - the markers are read by pattern
        """Read a quote."""
        text = self.text
        end = patterns.QUOTE_RUN.match(text, self.position).end()  # type: ignore[union-attr]
        inside = patterns.QUOTE_MARKER.sub("", text[self.position : end])
        while end < len(text) and self._is_lazy(end, of_quote=True):
            more = self.line_end(end)
            quoted = patterns.QUOTE_RUN.match(text, more)
            inside += LAZY + text[end:more]
            end = more
            if quoted:
                end = quoted.end()
                inside += patterns.QUOTE_MARKER.sub("", quoted[0])
        if inside.startswith("\t") or "\n\t" in inside or patterns.BLANK_TAIL.search(inside):
            raise HandOverError
        scan = self._scan_inside(inside, None)
        self.add("quote", end, "\n\n".join(scan.paragraphs))
        return True

    def _is_lazy(self, position: int, *, of_quote: bool) -> bool:
        """Say whether a line outside a quote or item goes on with the paragraph inside it.

        Whether there is such a paragraph is found out when the inside is scanned.
        """
        text = self.text
        start = self.indented(position)
        line_before = text.rfind("\n", 0, position - 1) + 1
        is_after_blank = not text[line_before : position - 1].strip(" \t>" if of_quote else " \t")
        character = text[start]
        if "\t" in text[position:start] or (of_quote and character in (">", LAZY)):
            raise HandOverError
        if character == "\n" or (is_after_blank and not of_quote):
            return False
        if is_after_blank:
            # an empty line ends a quote, but one of a quote in it may not
            if text[line_before : position - 1].strip(" \t") not in (">", ""):
                raise HandOverError
            return False
        if character == LAZY:
            return True
        if start - position > MAX_INDENT:
            raise HandOverError
        if patterns.MARKER.match(text, start) or self.interrupts(start):
            return False
        line_end = self.line_end(start)
        if "|" in text[start:line_end] and patterns.MAY_DELIMIT.match(text, line_end):
            # it may be the header of a table
            raise HandOverError
        if of_quote and (start > position or self.depth):
            # it keeps white space that is gone here
            raise HandOverError
        return True

    def _scan_inside(self, inside: str, column: int | None, *, tabbed: bool = False) -> "Scan":
        scan = Scan(inside, self.line, self.found, self.depth + 1)
        scan.column, scan.tabbed = column, tabbed or self.tabbed
        scan.run()
        return scan

    def items(self, start: int) -> bool:
        """Read a list; False when there is none."""
        text = self.text
        marker = patterns.MARKER.match(text, start)
        if marker is None:
            return False
        kind = text[marker.end() - 1]
        first_line = self.line
        items: list[str] = []
        self.block_count += 1
        while True:
            opening = self._item(start, marker.end())
            if opening is not None and len(items) < MAX_ITEMS:
                items.append(opening)
            if self.position >= len(text):
                break
            start = self.indented(self.position)
            if self.is_deep(self.position, start):
                break
            marker = patterns.MARKER.match(text, start)
            if marker is None or text[marker.end() - 1] != kind:
                break
            if patterns.THEMATIC_BREAK.match(text, start):
                break
        if not self.depth:
            self.found.blocks.append(Block("list", first_line, self.line, "", tuple(items)))
        return True

    def _item(self, start: int, after: int) -> str | None:
        """Read one item and pass to the line after it."""
        text = self.text
        content = patterns.INDENT.match(text, after).end()  # type: ignore[union-attr]
        gap = self._columns(after, content)
        if text[content] == "\n":
            raise HandOverError
        if gap > _MAX_GAP:
            if gap != content - after:
                raise HandOverError
            gap, content = 1, after + 1
        width = after - self.position + gap
        line_end = self.line_end(content)
        body, end = self._item_body(line_end, width)
        column = None if self.column is None else self.column + width
        is_tabbed = "\t" in text[start:content] or "\t" in body[:1]
        scan = self._scan_inside(text[content:line_end] + body[1:], column, tabbed=is_tabbed)
        self.pass_to(end)
        return scan.opening

    def _columns(self, start: int, end: int) -> int:
        """Return how many columns the white space after a marker takes."""
        white = self.text[start:end]
        if "\t" not in white:
            return end - start
        if self.column is None:
            raise HandOverError
        column = self.column + start - self.position
        return len((" " * column + white).expandtabs(4)) - column

    def _item_body(self, position: int, width: int) -> tuple[str, int]:
        """Return the lines of an item after its first, after a mark of tabs, and their end."""
        text, mark = self.text, " "
        pattern = patterns.item_body(width, self.depth == 0)
        parts: list[str] = []
        while position < len(text):
            end = pattern.match(text, position).end()  # type: ignore[union-attr]
            if end > position:
                part = text[position:end]
                if not self.depth and patterns.TAB_INDENT.search(part):
                    mark = "\t"
                    part = patterns.LINE_INDENT.sub(_expanded, part)
                parts.append(patterns.item_indent(width).sub("", part))
            position = end
            if position >= len(text) or not self._is_lazy(position, of_quote=False):
                break
            end = self.line_end(position)
            parts.append(LAZY + text[position:end].lstrip(" " + LAZY))
            position = end
        return mark + "".join(parts), position

    def rule_or_items(self, start: int) -> bool:
        """Read a thematic break or a list; False when there is neither."""
        if self.text[start] != "+":
            found = patterns.THEMATIC_BREAK.match(self.text, start)
            if found:
                self.add("rule", found.end())
                return True
        return self.items(start)


def _expanded(indent: Match[str]) -> str:
    return indent[0].expandtabs(4)


_READERS: dict[str, Callable[[Scan, int], bool]] = {
    "#": LeafScan.atx,
    "`": LeafScan.fence,
    "~": LeafScan.fence,
    "[": LeafScan.definition,
    "<": LeafScan.html,
    ">": Scan.quote,
    **dict.fromkeys("-*_+", Scan.rule_or_items),
    **dict.fromkeys("0123456789", Scan.items),
}
