"""A chunk: what ranked search finds."""

import msgspec


class Chunk(msgspec.Struct, frozen=True):
    """A piece of exactly one node, whole lines unless one line alone is too long.

    A function of the document's bytes, its path and the repository's config.
    """

    #: First 16 hex digits of SHA-256 over node id, NUL, part.
    id: str
    node_id: str
    #: Number of the chunk within its node, from 0.
    part: int
    #: Git's lines, both ends included.
    line_start: int
    line_end: int
    #: Characters of the decoded document, the end exclusive: the lines, or a piece of one line.
    char_start: int
    char_end: int
    #: Estimated tokens of these characters, `brain.search.tokens`.
    tokens: int
    #: The node's title.
    title: str
    #: Titles of the document and the headings above the node, with the document's labels.
    headings: str
    #: What the document is called besides: path, page id, name of its space.
    names: str
    #: The lines without fenced code.
    text: str
    #: The lines of fenced code.
    code: str
