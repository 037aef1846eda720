"""Blocks that hold no other blocks, read without the full parser."""

from bisect import bisect_left
from re import Pattern

from markdown_it.common.utils import MD_TRIM_CHARS, normalizeReference

from brain.markdown import plain_patterns as patterns
from brain.markdown.blocks import MAX_QUOTED, Block, BlockKind, Heading, InlineText
from brain.markdown.plain_found import Found, HandOverError

#: Starts a line that continues a paragraph from outside its list item or quote; no text holds it.
LAZY = "\x00"
#: Spaces before a block that is no indented code.
MAX_INDENT = 3

_TITLE_OPENERS = ("'", '"', "(", LAZY)


class LeafScan:
    """Reads the blocks of one container: the document, a list item or a quote.

    ``text`` has the container's markers and indentation taken off; every line ends with LF.
    """

    def __init__(self, text: str, line: int, found: Found, depth: int) -> None:
        self.text = text
        self.line = line
        self.found = found
        self.depth = depth
        self.position = 0
        self.tables = patterns.table_headers(text)
        #: Inline text of the first block, when that is a paragraph or heading.
        self.opening: str | None = None
        self.block_count = 0
        #: The first paragraphs, for a quote.
        self.paragraphs: list[str] = []
        #: Column of the document where the container's text starts, None when it is not known.
        self.column: int | None = 0
        #: Tabs before its text were turned into spaces, so white space is not as it was written.
        self.tabbed = False
        self.run_pattern = patterns.NESTED_TEXT_RUN if depth else patterns.TEXT_RUN

    def pass_to(self, end: int) -> None:
        """Move to *end*, counting lines."""
        if end > self.position:
            self.line += self.text.count("\n", self.position, end)
            self.position = end

    def indented(self, position: int) -> int:
        """Return where the text of a line starts; a tab inside a container hands over."""
        if self.text[position] not in " \t":
            return position
        end = patterns.INDENT.match(self.text, position).end()  # type: ignore[union-attr]
        if self.depth and "\t" in self.text[position:end]:
            raise HandOverError
        return end

    def is_deep(self, position: int, start: int) -> bool:
        """Say whether a line is indented like code."""
        return start - position > MAX_INDENT or "\t" in self.text[position:start]

    def has_table(self, position: int) -> bool:
        """Say whether a table starts at *position*."""
        index = bisect_left(self.tables, position)
        return index < len(self.tables) and self.tables[index] == position

    def add(self, kind: BlockKind, end: int, content: str = "", *, number: int = -1) -> None:
        """Pass to *end* and keep the block that ends there; *number* is an end further on."""
        start = self.line
        self.pass_to(end)
        self.block_count += 1
        if not self.depth:
            self.found.blocks.append(Block(kind, start, max(number, self.line), content))

    def _add_text(self, kind: BlockKind, start: int, end: int) -> None:
        content = self._content(start, end)
        self.found.texts.append(InlineText(self.line, content, "text"))
        if not self.block_count:
            self.opening = content
        if self.depth and len(self.paragraphs) < MAX_QUOTED:
            self.paragraphs.append(content)
        self.add(kind, end, content)

    def _content(self, start: int, end: int) -> str:
        content = self.text[start:end].strip(MD_TRIM_CHARS)
        if self.depth:
            if self.tabbed and patterns.INDENTED_LATER.search(content):
                raise HandOverError
            content = content.replace(LAZY, "").strip(MD_TRIM_CHARS)
        self._refuse_open_comment(content)
        return content

    def _add_heading(self, level: int, content: str, end: int) -> None:
        self._refuse_open_comment(content)
        if not self.block_count:
            self.opening = content
        self.found.headings.append(Heading(self.line, level, content, not self.depth))
        self.found.texts.append(InlineText(self.line, content, "heading"))
        self.add("heading", end, content)

    def _refuse_open_comment(self, content: str) -> None:
        opener = content.rfind("<!--")
        if opener >= 0 and content.find("-->", opener + 4) < 0:
            raise HandOverError

    def _refuse_rewritten(self, content: str) -> None:
        if self.depth and (LAZY in content or (self.tabbed and "\n" in content)):
            raise HandOverError

    def code(self) -> None:
        """Read indented code."""
        end = patterns.CODE_RUN.match(self.text, self.position).end()  # type: ignore[union-attr]
        if self.depth and patterns.TAB_INDENT.search(self.text, self.position, end):
            raise HandOverError
        self.add("code", end)

    def table(self) -> None:
        """Read a table as its lines."""
        start = self.position
        end = self.line_end(self.line_end(start))
        while end < len(self.text) and not self._ends_table(end):
            end = self.line_end(end)
        content = self.text[start:end].strip(" \t\n")
        self._refuse_rewritten(content)
        self.found.texts.append(InlineText(self.line, content, "table"))
        self.add("table", end, content)

    def line_end(self, position: int) -> int:
        """Return where the line after *position* starts."""
        return self.text.index("\n", position) + 1

    def _ends_table(self, position: int) -> bool:
        start = self.indented(position)
        if self.text[start] == "\n" or self.is_deep(position, start):
            return True
        return self.interrupts(start, any_marker=True)

    def interrupts(self, start: int, *, any_marker: bool = False) -> bool:
        """Say whether the line whose text is at *start* ends a paragraph without a blank line.

        Args:
            start: after at most three spaces.
            any_marker: also take list markers that may not end a paragraph, but may end a table
                or quote; there it depends on what came before in the parser.
        """
        text = self.text
        character = text[start]
        if character in "*-_" and patterns.THEMATIC_BREAK.match(text, start):
            return True
        if character in "-+*0123456789" and (marker := patterns.MARKER.match(text, start)):
            is_empty = not text[marker.end() : self.line_end(start)].strip(" \t\n")
            if not is_empty and (marker[1] is None or int(marker[1]) == 1):
                return True
            if any_marker:
                raise HandOverError
            return False
        if character == "<":
            sequence = patterns.html_sequence(text[start : self.line_end(start) - 1])
            return sequence is not None and sequence[1]
        pattern = _INTERRUPTING.get(character)
        return pattern is not None and pattern.match(text, start) is not None

    def paragraph(self, *, may_be_heading: bool = True) -> None:
        """Read a paragraph, or the heading that an underline makes of it."""
        text, start = self.text, self.position
        end = self.line_end(start)
        while True:
            run_end = self.run_pattern.match(text, end).end()  # type: ignore[union-attr]
            table = self._table_between(end, run_end)
            if table >= 0:
                self._add_text("paragraph", start, table)
                return
            end = run_end
            if end >= len(text):
                break
            if may_be_heading and (underline := patterns.UNDERLINE.match(text, end)):
                content = self._content(start, end)
                self._add_heading(2 if underline[1] else 1, content, underline.end())
                return
            next_start = self.indented(end)
            if text[next_start] == "\n" or self.interrupts(next_start):
                break
            end = self.line_end(end)
        self._add_text("paragraph", start, end)

    def _table_between(self, start: int, end: int) -> int:
        if not self.tables:
            return -1
        index = bisect_left(self.tables, start)
        if index < len(self.tables) and self.tables[index] <= end:
            return self.tables[index]
        return -1

    def atx(self, start: int) -> bool:
        """Read a heading that starts with hashes; False when it is none."""
        found = patterns.ATX.match(self.text, start)
        if found is None:
            return False
        content = (found[2] or "").rstrip(" \t")
        without = content.rstrip("#")
        if not without or without[-1] in " \t":
            content = without
        self._add_heading(len(found[1]), content.strip(MD_TRIM_CHARS), found.end())
        return True

    def fence(self, start: int) -> bool:
        """Read fenced code; False when it is none."""
        found = patterns.FENCE.match(self.text, start)
        if found is None:
            return False
        markers = found[1] or found[3]
        closing = patterns.closing_fence(markers[0], len(markers)).search(self.text, found.end())
        end = closing.end() if closing else len(self.text)
        inside = self.text[found.end() : closing.start() if closing else end]
        if self.depth:
            if LAZY in inside or patterns.TABBED_FENCE.search(inside):
                raise HandOverError
            self.add("fence", end)
            return True
        if indent := start - self.position:
            inside = patterns.item_indent(indent).sub("", inside)
        first_line = inside.lstrip("\n").partition("\n")[0].strip()
        self.add("fence", end, f"{(found[2] or found[4] or '').strip()}\n{first_line}")
        return True

    def html(self, start: int) -> bool:
        """Read an HTML block; False when it is none."""
        text = self.text
        line_end = self.line_end(start)
        sequence = patterns.html_sequence(text[start : line_end - 1])
        if sequence is None:
            return False
        closing, _ = sequence
        if not closing.search(text[start : line_end - 1]):
            ends_on_blank = closing.search("") is not None
            line_end = self._html_end(closing, line_end, ends_on_blank=ends_on_blank)
        content = text[self.position : line_end]
        self._refuse_rewritten(content)
        self._refuse_open_comment(content)
        if line_end == len(text) and self.found.cut_off:
            if self.depth:
                raise HandOverError
            content = content[:-1]
        self.found.texts.append(InlineText(self.line, content, "html"))
        self.add("html", line_end, content)
        return True

    def _html_end(self, closing: Pattern[str], position: int, *, ends_on_blank: bool) -> int:
        text, length = self.text, len(self.text)
        while position < length:
            end = self.line_end(position)
            line = text[position : end - 1]
            if ends_on_blank:
                if not line.strip(" \t"):
                    return position
            elif closing.search(line):
                return end
            position = end
        return length

    def definition(self, start: int) -> bool:
        """Read a link definition or a footnote; False when it is neither."""
        text = self.text
        if patterns.FOOTNOTE.match(text, start):
            self.paragraph(may_be_heading=False)
            return True
        if not patterns.MAY_DEFINE.match(text, start) or patterns.NO_DEFINITION.match(text, start):
            return False
        found = patterns.DEFINITION.match(text, start)
        if found is None:
            found = patterns.DEFINITION_ON_TWO_LINES.match(text, start)
            if found and self._table_between(start + 1, found.end() - 1) >= 0:
                raise HandOverError
        if found is None or (found[3] is None and self._has_title_opener(found.end())):
            raise HandOverError
        label, target = normalizeReference(found[1]), found[2]
        if not label or ("&" in target and ";" in target):
            raise HandOverError
        href = target[1:-1] if target[0] == "<" else target
        self.found.references.setdefault(label, {"href": href, "title": ""})
        self.pass_to(found.end())
        return True

    def _has_title_opener(self, position: int) -> bool:
        end = patterns.INDENT.match(self.text, position).end()  # type: ignore[union-attr]
        return self.text.startswith(_TITLE_OPENERS, end)


_INTERRUPTING = {
    "#": patterns.ATX,
    "`": patterns.FENCE,
    "~": patterns.FENCE,
    ">": patterns.QUOTE_RUN,
    "[": patterns.FOOTNOTE,
}
