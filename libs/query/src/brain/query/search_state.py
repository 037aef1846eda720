"""Search state: everything that decides what a question finds at one commit."""

import hashlib

import msgspec

from brain.store.pointer import Pointer


class SearchState(msgspec.Struct, frozen=True):
    """What equal answers have in common; nothing here differs between machines."""

    commit: str
    builder_version: int
    #: Of the embeddings; empty without.
    model: str = ""
    #: Batches of vectors that have arrived.
    vector_epoch: int = 0

    @property
    def fingerprint(self) -> str:
        """Name the state: the first 16 hex digits of SHA-256 over its parts."""
        return digest(self.commit, str(self.builder_version), self.model, str(self.vector_epoch))


def search_state(pointer: Pointer) -> SearchState:
    """Return the state that a read of this pointer's commit is answered from.

    When no vector is awaited, which ones there are follows from the commit and the model, so the
    epoch, which counts on one machine only, is left out.
    """
    epoch = pointer.vector_epoch if pointer.vectors_pending else 0
    return SearchState(pointer.commit, pointer.builder_version, pointer.vector_model, epoch)


def digest(*parts: str) -> str:
    """Return the first 16 hex digits of SHA-256 over parts that end with a NUL each."""
    joined = "".join(f"{part}\0" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]
