"""How rows travel: msgpack arrays, whose bytes are a function of the values alone."""

import msgspec

from brain.tree.document import DocumentRow, Facts, FolderRow
from brain.tree.node import Node
from brain.tree.reference import Definition, Reference


class DocumentHead(msgspec.Struct, frozen=True, array_like=True):
    """What a listing needs of a document: its own node and its front matter."""

    node: Node
    facts: Facts


class DocumentBody(msgspec.Struct, frozen=True, array_like=True):
    """The rest of a document: nodes from number 1 on, references, definitions, warnings."""

    nodes: tuple[Node, ...]
    references: tuple[Reference, ...]
    definitions: tuple[Definition, ...]
    warnings: tuple[str, ...]
    #: Explicit HTML ids and the number of the node that holds each.
    html_anchors: tuple[tuple[str, int], ...]


_encoder = msgspec.msgpack.Encoder()
_head = msgspec.msgpack.Decoder(DocumentHead)
_body = msgspec.msgpack.Decoder(DocumentBody)
_folder = msgspec.msgpack.Decoder(FolderRow)


def encode_head(row: DocumentRow) -> bytes:
    """Encode the head of a document row."""
    return _encoder.encode(DocumentHead(row.nodes[0], row.facts))


def encode_body(row: DocumentRow) -> bytes:
    """Encode the body of a document row."""
    return _encoder.encode(
        DocumentBody(row.nodes[1:], row.references, row.definitions, row.warnings, row.html_anchors)
    )


def encode_folder(row: FolderRow) -> bytes:
    """Encode a folder row."""
    return _encoder.encode(row)


def decode_head(data: bytes) -> DocumentHead:
    """Decode what `encode_head` made."""
    return _head.decode(data)


def decode_body(data: bytes) -> DocumentBody:
    """Decode what `encode_body` made."""
    return _body.decode(data)


def decode_folder(data: bytes) -> FolderRow:
    """Decode what `encode_folder` made."""
    return _folder.decode(data)


def folder_of(path: str) -> str:
    """Return the folder that holds a path; empty for the root."""
    return path.rpartition("/")[0]
