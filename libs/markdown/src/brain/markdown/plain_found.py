"""What the scanner of plain documents collects."""

from brain.markdown.blocks import Block, Heading, InlineText


class HandOverError(Exception):
    """The document holds something that only the full parser decides."""


class Found:
    """What a scan collects, in document order."""

    def __init__(self, *, cut_off: bool) -> None:
        #: The last line lacked its line feed, and was given one.
        self.cut_off = cut_off
        self.headings: list[Heading] = []
        self.blocks: list[Block] = []
        self.texts: list[InlineText] = []
        self.references: dict[str, dict[str, str]] = {}
