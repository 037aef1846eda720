"""The vectors of one source's chunks, as a worker holds them."""

from typing import cast

import msgspec
import numpy as np

from brain.embedding.matrix import Rows, VectorMatrix, extend, matrix_of
from brain.query.search_index import SearchIndex
from brain.query.view import View
from brain.search.bm25 import Mask


class ChunkVectors(msgspec.Struct, frozen=True):
    """Vectors of the chunks of one commit, as far as they are there."""

    matrix: VectorMatrix
    #: By number of the chunk: its row, -1 without a vector.
    rows: Rows
    #: Numbers of the chunks that exist and have a vector, in the order of their ids.
    present: Rows
    #: Chunks that exist, and how many of these have no vector.
    total: int
    missing: int

    @property
    def coverage(self) -> float:
        """The share of chunks that have a vector."""
        return 1 - self.missing / self.total if self.total else 0.0

    def among(self, allowed: Mask | None) -> Rows:
        """Return the numbers of the chunks that may be found, in the order of their ids."""
        return self.present if allowed is None else self.present[allowed[self.present]]


class _Held(msgspec.Struct, frozen=True):
    """A matrix with the epoch it reaches."""

    epoch: int
    matrix: VectorMatrix


async def chunk_vectors(view: View, index: SearchIndex) -> ChunkVectors:
    """Return the vectors of a view's commit at its epoch; what is held is not read again."""
    pointer = view.pointer

    async def make() -> ChunkVectors:
        matrix = await _matrix(view)
        texts = await view.text_hashes()
        return await view.derive(lambda: _placed(index, matrix, texts))

    return await view.once(
        f"vectors {pointer.vector_model} {pointer.vector_epoch}",
        lambda made: 2 * made.rows.nbytes,
        make,
    )


async def _matrix(view: View) -> VectorMatrix:
    """Return the source's matrix, with what its epoch gained since it was read."""
    pointer, shelf = view.pointer, view.shelf.matrices
    key = (pointer.source_id, pointer.vector_model)
    held = cast("_Held | None", shelf.get(key))
    if held is not None and held.epoch == pointer.vector_epoch:
        return held.matrix
    known = held if held is not None and held.epoch < pointer.vector_epoch else None
    hashes, codes = await view.vectors(after=known.epoch if known else 0)
    matrix = await view.derive(lambda: matrix_of(hashes, codes))
    if known is not None:
        old = known.matrix
        matrix = await view.derive(lambda: extend(old, matrix))
    if held is None or held.epoch < pointer.vector_epoch:
        shelf.put(key, _Held(pointer.vector_epoch, matrix), matrix.size_bytes)
    return matrix


def _placed(index: SearchIndex, matrix: VectorMatrix, texts: dict[str, bytes]) -> ChunkVectors:
    rows = np.full(len(index.collection.ids), -1, np.int64)
    for path, number in index.numbers.items():
        first, hashes = int(index.joined.firsts[number]), texts.get(path, b"")
        if hashes and len(hashes) == 32 * index.documents[number].chunk_count:
            rows[first : first + len(hashes) // 32] = matrix.rows_of(hashes)
    total = int(np.count_nonzero(index.collection.alive))
    missing = total - int(np.count_nonzero(index.collection.alive & (rows >= 0)))
    present = np.flatnonzero(index.collection.alive & (rows >= 0))
    present = present[np.argsort(index.collection.ids[present])]
    return ChunkVectors(matrix, rows, present, total, missing)
