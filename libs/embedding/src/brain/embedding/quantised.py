"""Vectors as they are stored: one signed byte a number.

Cosines of such vectors are sums of whole numbers, the same on every machine.
"""

import numpy as np
import numpy.typing as npt

from brain.embedding.embedder import Vectors

Codes = npt.NDArray[np.int8]

_MOST = 127
#: Whole numbers below it are exact as float32, and so is every sum of them in any order.
_EXACT = 1 << 24


def quantise(vectors: Vectors) -> Codes:
    """Return each row scaled so that its largest number is 127, and rounded.

    Args:
        vectors: rows that are not zero.
    """
    most = np.abs(vectors).max(axis=1, keepdims=True)
    codes: Codes = np.rint(vectors * (_MOST / most)).astype(np.int8)
    return codes


def squared_lengths(codes: Codes) -> npt.NDArray[np.int64]:
    """Return the squared length of each row."""
    wide = codes.astype(np.int32)
    lengths: npt.NDArray[np.int64] = np.einsum("ij,ij->i", wide, wide).astype(np.int64)
    return lengths


def cosines(codes: Codes, squared: npt.NDArray[np.int64], query: Codes) -> npt.NDArray[np.float64]:
    """Return the cosine of the query with each row.

    Args:
        codes: rows.
        squared: `squared_lengths` of them.
        query: one vector of the same dimensions.
    """
    own = int(np.dot(query.astype(np.int64), query.astype(np.int64)))
    # no partial sum is larger than the product of both lengths, so float32 adds exactly below it
    exact = len(squared) == 0 or int(squared.max()) * own < _EXACT**2
    kind = np.float32 if exact else np.float64
    products = (codes.astype(kind) @ query.astype(kind)).astype(np.float64)
    found: npt.NDArray[np.float64] = products / np.sqrt(squared.astype(np.float64) * own)
    return found


def sign_bits(codes: Codes) -> npt.NDArray[np.uint64]:
    """Return one bit a number, set where it is above 0, in words of 64."""
    bits = np.packbits(codes > 0, axis=1)
    missing = -bits.shape[1] % 8
    padded = np.pad(bits, ((0, 0), (0, missing)))
    words: npt.NDArray[np.uint64] = padded.view(np.uint64)
    return words
