"""Filling in vectors: chunks that wait, embedded in batches behind the builds.

Runs in a child process of its own at the lowest priority. What is done is a row, so a killed child
loses one batch and none is computed twice: docs/decisions/0019-vectors.md.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from brain.builder.job import Filled, FillJob, Interrupted, Nothing
from brain.embedding.embedder import Embedder, EmbeddingError
from brain.embedding.providers import load
from brain.embedding.quantised import quantise
from brain.embedding.settings import Settings
from brain.gitmirror.libgit2 import MirrorError
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.markdown.line_index import decode_text
from brain.search.chunks import chunk_document
from brain.search.embedded_text import embedded_text, text_hash
from brain.store.build_session import Session, build_session
from brain.store.errors import StoreUnavailableError
from brain.store.stored_rows import read_rows
from brain.store.vectors import (
    FilledVector,
    FillStart,
    PendingText,
    add_vectors,
    begin_fill,
    indexed_commit,
    known_vectors,
    list_pending,
    release_fill_lock,
    try_fill_lock,
)
from brain.tree.document import DocumentRow

_LOWEST_PRIORITY = 19

#: The model of this process, loaded by its first turn.
_loaded: dict[Settings, Embedder] = {}


class _Batch(msgspec.Struct, frozen=True):
    """Texts to embed, by hash, and the documents that no longer say what was stored of them."""

    texts: dict[bytes, str]
    strange: set[str]


def run_fill(job: FillJob) -> Filled | Nothing | Interrupted:
    """Embed chunks of a source for one turn, those of the documents changed last first."""
    try:
        with build_session(job.database_url) as session:
            start = begin_fill(session, job.source_id, job.model)
            if start is None:
                return Nothing("no vectors are owed")
            if not try_fill_lock(session, start.project_id):
                return Nothing("another process fills them in")
            try:
                return _turn(session, job, start)
            finally:
                release_fill_lock(session, start.project_id)
    except (StoreUnavailableError, EmbeddingError, MirrorError, OSError) as error:
        return Interrupted(str(error))


def lower_priority() -> None:
    """Let everything else on the machine go first."""
    os.nice(_LOWEST_PRIORITY)


def _turn(session: Session, job: FillJob, start: FillStart) -> Filled | Nothing:
    until = time.monotonic() + job.turn_s
    strange: set[str] = set()
    written, pending = 0, start.vectors_pending
    while True:
        batch = _next_batch(session, job, strange)
        strange |= batch.strange
        if not batch.texts:
            return Filled(written, pending, is_stuck=pending > 0)
        known = known_vectors(session, start.project_id, job.model, list(batch.texts))
        missing = {key: text for key, text in batch.texts.items() if key not in known}
        vectors = _embedded(_embedder(job.embedding), missing)
        pending = add_vectors(session, job.source_id, job.model, vectors)
        written += len(vectors)
        if not pending or time.monotonic() > until:
            return Filled(written, pending)


def _embedder(settings: Settings) -> Embedder:
    if settings not in _loaded:
        _loaded.clear()
        _loaded[settings] = load(settings, threads=settings.threads)
    return _loaded[settings]


def _embedded(embedder: Embedder, texts: dict[bytes, str]) -> list[FilledVector]:
    if not texts:
        return []
    codes = quantise(embedder.embed_documents(list(texts.values())))
    return [FilledVector(key, row.tobytes()) for key, row in zip(texts, codes, strict=True)]


def _next_batch(session: Session, job: FillJob, strange: set[str]) -> _Batch:
    """Read the next chunks that wait, all at one commit."""
    with session.transaction():
        session.execute("set transaction isolation level repeatable read, read only")
        limit = job.embedding.batch_size
        waiting = list_pending(session, job.source_id, limit, sorted(strange))
        paths = list(dict.fromkeys(each.path for each in waiting))
        rows = read_rows(session, job.source_id, paths)
        commit = indexed_commit(session, job.source_id)
    if not waiting:
        return _Batch({}, set())
    snapshot = open_snapshot(Path(job.mirrors), job.source_id, commit)
    return _match(waiting, {path: _texts(snapshot, row) for path, row in rows.items()})


def _match(waiting: Sequence[PendingText], said: dict[str, dict[bytes, str]]) -> _Batch:
    batch = _Batch({}, set())
    for each in waiting:
        text = said.get(each.path, {}).get(each.text_hash)
        if text is None:
            batch.strange.add(each.path)
        else:
            batch.texts[each.text_hash] = text
    return batch


def _texts(snapshot: Snapshot, row: DocumentRow) -> dict[bytes, str]:
    """Return what is embedded of a document's chunks, as the build hashed it."""
    text = decode_text(snapshot.read_blob(row.blob))
    embedded = (embedded_text(chunk, text) for chunk in chunk_document(row, text))
    return {text_hash(each): each for each in embedded}
