"""Git's lines over a decoded document, and the parser's lines mapped back to them."""

from itertools import accumulate

import msgspec


class ParserSource(msgspec.Struct, frozen=True):
    """Text as a CommonMark parser reads it: every line ending is one LF."""

    text: str
    #: Parser line (from 0) to Git line (from 0); empty when the two are the same.
    git_lines: tuple[int, ...] = ()

    def git_line(self, parser_line: int) -> int:
        """Return the Git line, from 0, of a parser line; lines past the end map to the last."""
        if not self.git_lines:
            return parser_line
        return self.git_lines[min(parser_line, len(self.git_lines) - 1)]


def decode_text(data: bytes) -> str:
    """Decode a blob as UTF-8, each malformed sequence becoming U+FFFD.

    A malformed sequence never swallows a line feed, so the text has the blob's Git lines.
    A byte order mark stays in the text; `parser_source` is told to skip it by its caller.
    """
    return data.decode("utf-8", errors="replace")


def decode_shown(data: bytes) -> str:
    """Decode a blob, or some of its lines, as readers are shown it.

    As `decode_text`, and U+0000 becomes U+FFFD as well: neither a database nor every client takes
    it. One character stands for one, so offsets into the two texts are equal.

    Source: https://spec.commonmark.org/0.31.2/#insecure-characters
    """
    return decode_text(data).replace("\0", "\N{REPLACEMENT CHARACTER}")


def count_lines(text: str) -> int:
    """Count lines as Git does: each LF ends one, and a last line may lack it. Empty text has 0."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def line_offsets(text: str) -> tuple[int, ...]:
    """Return the character offset of every Git line, then the length of *text*.

    Line n (from 1) is ``text[offsets[n - 1]:offsets[n]]`` with its line feed.
    """
    lengths = [len(line) + 1 for line in text.split("\n")]
    lengths[-1] -= 1
    if lengths[-1] == 0:
        lengths.pop()
    return (0, *accumulate(lengths))


def parser_source(text: str) -> ParserSource:
    """Turn CRLF and lone CR into LF and remember the Git line of each parser line.

    CommonMark ends a line at a lone CR, Git does not; two parser lines may share one Git line.
    U+2028, form feed and the like end no line in either.

    Source: https://spec.commonmark.org/0.31.2/#line-ending
    """
    unified = text.replace("\r\n", "\n")
    if "\r" not in unified:
        return ParserSource(unified)
    git_lines = []
    for number, line in enumerate(unified.split("\n")):
        git_lines += [number] * (line.count("\r") + 1)
    return ParserSource(unified.replace("\r", "\n"), tuple(git_lines))
