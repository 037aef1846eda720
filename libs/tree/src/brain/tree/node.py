"""Nodes: what a tree is made of."""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

#: Where a document's path ends and an anchor begins.
_ANCHORED = re.compile(r"\.md(#)", re.IGNORECASE)

NodeKind = Literal["root", "folder", "document", "section", "card"]


class Node(msgspec.Struct, frozen=True, array_like=True):
    """One node inside a document, in document order; number 0 is the document itself.

    Lines are Git's: 1-based, inclusive, only LF ends one, front matter counted.
    A node holds no commit, build id or time, so equal bytes give equal rows.
    """

    #: ``document`` (only number 0), ``section`` or ``card``.
    kind: NodeKind
    #: What follows ``#`` in the node id: the slug, a card's reference id, empty for the document.
    anchor: str
    #: The heading's GitHub slug, a valid link target for cards as well; empty for the document.
    slug: str
    #: Heading level 1 to 6; 0 for the document.
    level: int
    #: Number of the parent node in this document; -1 for the document.
    parent: int
    #: Rendered heading text, or the document's title.
    title: str
    #: One line of at most 240 characters; may be empty.
    summary: str
    #: Name of the rule that gave the summary; empty when none applied.
    summary_source: str
    #: First line of the node.
    line_start: int
    #: Last line of the node's own text, before its first child.
    own_line_end: int
    #: Last line of everything under the node.
    line_end: int
    #: Characters from line_start to line_end, line ends included; a token is four of them.
    size_chars: int
    #: Number of direct children.
    child_count: int


def node_id(path: str, anchor: str) -> str:
    """Return the id of a node of the document at *path*; an empty *anchor* names the document."""
    return f"{path}#{anchor}" if anchor else path


def id_readings(name: str) -> Iterator[tuple[str, str]]:
    """Yield every way to read a node id as a path and an anchor, the likely one first.

    A ``#`` may stand in a path as well (``C#/intro.md``), so an anchor begins only behind a
    ``.md``, in any case; where that occurs twice the first is likelier. Last comes the whole name
    as a path, with no anchor.
    """
    for found in _ANCHORED.finditer(name):
        yield name[: found.start(1)], name[found.end(1) :]
    yield name, ""


def token_count(size_chars: int) -> int:
    """Estimate tokens at four characters each, rounded up."""
    return (size_chars + 3) // 4


def name_of(path: str) -> str:
    """Return the last segment of a path."""
    return path.rpartition("/")[2]
