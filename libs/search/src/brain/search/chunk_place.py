"""Where a document's chunks lie, as it is stored beside the document."""

from collections.abc import Sequence

import msgspec

from brain.search.chunk import Chunk
from brain.search.chunks import chunk_id
from brain.tree.document import DocumentRow
from brain.tree.node import node_id


class ChunkPlace(msgspec.Struct, frozen=True, array_like=True):
    """A chunk without its text; see `brain.search.chunk.Chunk`."""

    #: Number of the node in its document.
    node: int
    part: int
    line_start: int
    line_end: int
    char_start: int
    char_end: int
    tokens: int


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[ChunkPlace, ...]).decode


def chunk_places(row: DocumentRow, chunks: Sequence[Chunk]) -> tuple[ChunkPlace, ...]:
    """Return where the chunks of a document lie, in their order."""
    numbers = {node_id(row.path, node.anchor): number for number, node in enumerate(row.nodes)}
    return tuple(
        ChunkPlace(
            numbers[each.node_id],
            each.part,
            each.line_start,
            each.line_end,
            each.char_start,
            each.char_end,
            each.tokens,
        )
        for each in chunks
    )


def place_id(path: str, anchor: str, part: int) -> str:
    """Return the id of the chunk at a place."""
    return chunk_id(node_id(path, anchor), part)


def encode_places(places: Sequence[ChunkPlace]) -> bytes:
    """Encode the places of one document."""
    return _encode(places)


def decode_places(data: bytes) -> tuple[ChunkPlace, ...]:
    """Decode what `encode_places` made."""
    return _decode(data)
