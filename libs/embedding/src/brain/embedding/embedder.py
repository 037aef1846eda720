"""An embedder: what turns texts into vectors that lie near each other when they mean the same."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class EmbeddingError(Exception):
    """No vectors can be had now; what they are for goes on without them."""


class Model(msgspec.Struct, frozen=True):
    """What is known of a model before it is loaded."""

    #: Says how vectors were made: those of two names are never compared.
    name: str
    #: 0 when only the first answer tells.
    dimensions: int
    #: Cosine of texts that have nothing in common.
    unrelated_cosine: float
    #: What its cosines are worth against words, `brain.search.fusion.vector_weight`. Unless it was
    #: measured, as much as a model is good for that searches no better than words.
    trust: float = 0.75
    #: It understands no other language.
    is_english: bool = False


class Embedder(Protocol):
    """A model that is ready to run."""

    @property
    def model(self) -> Model:
        """The model."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row of length 1 for each text, however long; what is too long is cut.

        Raises:
            EmbeddingError: the model is away, or answered with something else.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question; raises as `embed_documents` does."""


def normalised(rows: object, count: int) -> Vectors:
    """Return rows of length 1.

    Raises:
        EmbeddingError: they are not *count* rows of finite numbers, one of them not zero.
    """
    try:
        found = np.asarray(rows, np.float32)
    except (TypeError, ValueError) as error:
        raise EmbeddingError("The model answered with something else than vectors.") from error
    if found.ndim != 2 or len(found) != count or not np.isfinite(found).all():  # noqa: PLR2004
        raise EmbeddingError(f"The model answered with {found.shape} for {count} texts.")
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    if not lengths.all():
        raise EmbeddingError("The model answered with a vector of length 0.")
    divided: Vectors = found / lengths
    return divided


def first(rows: Vectors) -> Vectors:
    """Return the first row."""
    row: Vectors = rows[0]
    return row
