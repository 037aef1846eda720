"""A document as it is stored: a function of its blob, its path and the repository's config."""

import msgspec

from brain.tree.node import Node
from brain.tree.reference import Definition, Reference


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the front matter says. All values are text as written; nothing is guessed from types."""

    #: Front matter ``id`` when it is a reference id, else empty.
    id: str = ""
    #: Lower-cased ``status``; empty when absent.
    status: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    #: ISO date, or empty when absent or no date.
    valid_until: str = ""
    date: str = ""
    aliases: tuple[str, ...] = ()
    #: ``tags`` and ``labels``, lower-cased, without ``#``, in order, unique.
    labels: tuple[str, ...] = ()
    #: Upper-cased ``space``.
    space: str = ""
    page_id: str = ""
    home: str = ""
    entity: str = ""
    #: Code paths this document governs.
    refs: tuple[str, ...] = ()
    #: Every other key, in order, its value flattened to lines of text.
    other: tuple[tuple[str, str], ...] = ()


class DocumentRow(msgspec.Struct, frozen=True):
    """One indexed document with its nodes, references and definitions."""

    path: str
    #: Object id of the blob, hex.
    blob: str
    #: Node 0 is the document; the others follow in document order.
    nodes: tuple[Node, ...]
    references: tuple[Reference, ...]
    #: Names, aliases and ids this document defines; its own path is implied.
    definitions: tuple[Definition, ...]
    facts: Facts
    #: One line a problem, such as front matter that does not parse.
    warnings: tuple[str, ...] = ()
    #: Names of places that are no nodes (`brain.tree.named_places`), with the node that holds each.
    html_anchors: tuple[tuple[str, int], ...] = ()


class FolderRow(msgspec.Struct, frozen=True):
    """One folder; a function of its path, the config and its direct children's rows."""

    #: ``""`` for the root, else the path without a trailing slash.
    path: str
    title: str
    summary: str
    summary_source: str
    #: Sum over everything beneath.
    size_chars: int
    #: Direct children: folders and documents.
    child_count: int
    #: Documents beneath, at any depth.
    document_count: int
    #: Title of the document when exactly one lies beneath, else empty.
    only_document_title: str = ""
