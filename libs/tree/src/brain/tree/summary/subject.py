"""What the summary rules look at."""

import msgspec

from brain.markdown.blocks import Block, Definitions
from brain.markdown.front_matter import FieldValue


class Part(msgspec.Struct, frozen=True):
    """A direct section of a subject: its title and the blocks before its first child."""

    title: str
    blocks: tuple[Block, ...]


class Subject(msgspec.Struct, frozen=True):
    """A document, section or card to summarise.

    A document whose first node is its only top heading reads as if that heading were its title:
    the text below it is the document's own, the headings below it are its sections.
    """

    is_document: bool
    #: Blocks of the own text, raw HTML and rules left out.
    blocks: tuple[Block, ...]
    parts: tuple[Part, ...]
    definitions: Definitions
    #: Front matter of a document; empty for any other node.
    fields: dict[str, FieldValue] = {}


class Entry(msgspec.Struct, frozen=True):
    """A direct child of a folder."""

    name: str
    title: str
    summary: str
    is_folder: bool
    #: Documents beneath a folder; 1 for a document.
    document_count: int
    #: Title of the only document beneath a folder, else empty.
    only_document_title: str = ""


class FolderSubject(msgspec.Struct, frozen=True):
    """A folder to summarise; entries in tree order."""

    entries: tuple[Entry, ...]
    #: What the layout says it holds, else empty.
    layout: str = ""
