"""all-MiniLM-L6-v2 with int8 weights, run by onnxruntime: English, fast."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from brain.embedding.embedder import EmbeddingError, Model, Vectors, first, normalised

MINILM = Model("all-MiniLM-L6-v2-int8", 384, unrelated_cosine=0.0, trust=0.75, is_english=True)
WEIGHTS, TOKENIZER = "model.onnx", "tokenizer.json"
#: A text is cut after so many tokens; more of it made search no better, docs/retrieval.md.
MOST_TOKENS = 256


class MiniLm:
    """The model, loaded: about 90 MB."""

    model = MINILM

    def __init__(self, weights: Path, tokenizer: Path, threads: int) -> None:
        # Imported here: only the process that embeds has room for it, and it may not be there.
        import onnxruntime  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.enable_cpu_mem_arena = False
        self._session = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._tokenizer.no_padding()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Embed one after another: together they would be padded, and slower."""
        if not texts:
            return np.empty((0, self.model.dimensions), np.float32)
        return normalised([self._embed(text) for text in texts], len(texts))

    def embed_query(self, text: str) -> Vectors:
        """Embed a question."""
        return first(self.embed_documents([text]))

    def _embed(self, text: str) -> Vectors:
        ids = np.array([self._tokenizer.encode(text).ids], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        states: Vectors = self._session.run(None, given)[0][0]
        mean: Vectors = states.mean(axis=0)
        return mean


def check_sha256(path: Path, wanted: str) -> None:
    """Compare a file with its known checksum.

    Raises:
        EmbeddingError: it is another file, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(f"{path} cannot be read: {error.strerror}.") from error
    if found != wanted:
        raise EmbeddingError(f"{path} is not the file that its checksum names.")
