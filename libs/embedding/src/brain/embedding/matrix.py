"""A matrix of vectors, held to be searched."""

import msgspec
import numpy as np
import numpy.typing as npt

from brain.embedding.quantised import Codes, cosines, sign_bits, squared_lengths

#: Vectors whose signs differ least from the query's, of which the cosine is computed; what is lost
#: by it stands in docs/retrieval.md.
_LOOKED_AT = 2_000
#: Rows turned to float32 at once: few enough to stay in the processor's cache.
_BLOCK_ROWS = 512

Rows = npt.NDArray[np.int64]


class VectorMatrix(msgspec.Struct, frozen=True):
    """Vectors of texts, no text twice."""

    #: By which a text is found: the first eight bytes of its SHA-256, ascending. Of a million texts
    #: two have the same by a chance of one in 37 million.
    keys: npt.NDArray[np.uint64]
    codes: Codes
    squared: npt.NDArray[np.int64]
    #: Sign bits in words, a row for each word.
    bits: npt.NDArray[np.uint64]

    @property
    def size_bytes(self) -> int:
        """Bytes held."""
        return self.keys.nbytes + self.codes.nbytes + self.squared.nbytes + self.bits.nbytes

    def rows_of(self, hashes: bytes) -> Rows:
        """Return the row of each text, -1 for one without a vector."""
        wanted = hash_keys(hashes)
        if not len(self.keys):
            return np.full(len(wanted), -1, np.int64)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[places] == wanted, places, -1)

    def nearest(
        self, query: Codes, among: Rows, depth: int
    ) -> tuple[Rows, npt.NDArray[np.float64]]:
        """Return the places in *among* of the nearest rows, nearest first, and their cosines.

        Args:
            query: one vector of the same dimensions.
            among: the rows to look at, a row as often as it stands there.
            depth: how many at most; equal cosines keep the order of *among*.
        """
        places = np.arange(len(among))
        if len(among) > _LOOKED_AT:
            places = self._alike(query, among)
        found = self._cosines(query, among[places])
        order = np.argsort(-found, kind="stable")[:depth]
        return places[order], found[order]

    def _alike(self, query: Codes, among: Rows) -> Rows:
        """Return the places of those whose signs differ least, and all that differ as the last."""
        wanted = sign_bits(query[None])[0]
        differ = np.zeros(len(self.keys), np.uint16)
        for word, bits in zip(wanted, self.bits, strict=True):
            differ += np.bitwise_count(bits ^ word)
        distances = differ[among]
        last = np.partition(distances, _LOOKED_AT)[_LOOKED_AT]
        return np.flatnonzero(distances <= last)

    def _cosines(self, query: Codes, rows: Rows) -> npt.NDArray[np.float64]:
        parts = [
            cosines(self.codes[block], self.squared[block], query)
            for start in range(0, len(rows), _BLOCK_ROWS)
            for block in (rows[start : start + _BLOCK_ROWS],)
        ]
        return np.concatenate(parts) if parts else np.empty(0)


def hash_keys(hashes: bytes) -> npt.NDArray[np.uint64]:
    """Return the key of each hash of 32 bytes."""
    words = np.frombuffer(hashes, ">u8").reshape(-1, 4)
    return words[:, 0].astype(np.uint64)


def matrix_of(hashes: bytes, codes: bytes) -> VectorMatrix:
    """Make a matrix of vectors as they are stored; of two of one text the later counts.

    Args:
        hashes: SHA-256 of each text, joined.
        codes: the vector of each, joined, all of the same dimensions.
    """
    keys = hash_keys(hashes)
    rows = np.frombuffer(codes, np.int8).reshape(len(keys), -1) if len(keys) else _NO_ROWS
    return _sorted(keys, rows)


def extend(matrix: VectorMatrix, more: VectorMatrix) -> VectorMatrix:
    """Return a matrix of both; of a text that both have *more* counts."""
    if not len(more.keys) or not len(matrix.keys):
        return more if len(more.keys) else matrix
    if more.codes.shape[1] != matrix.codes.shape[1]:
        return more
    return _sorted(
        np.concatenate([matrix.keys, more.keys]), np.concatenate([matrix.codes, more.codes])
    )


_NO_ROWS = np.empty((0, 0), np.int8)


def _sorted(keys: npt.NDArray[np.uint64], codes: Codes) -> VectorMatrix:
    newest_first = keys[::-1]
    kept, places = np.unique(newest_first, return_index=True)
    rows = codes[len(keys) - 1 - places]
    bits = np.ascontiguousarray(sign_bits(rows).T)
    return VectorMatrix(kept, rows, squared_lengths(rows), bits)
