"""Bundle shelf: bundles that were made, the latest in memory before the store."""

import hashlib
import re
from collections import OrderedDict
from threading import Lock
from typing import Literal

import msgspec

from brain.query.bundle_manifest import Compiled, encode_manifest, stored_request
from brain.store.bundles import BundleRow, find_bundle, keep_bundle
from brain.store.errors import StoreUnavailableError
from brain.store.pool import Pool, transaction

_BUNDLE_ID = re.compile(r"[0-9a-f]{16}")
#: Bundles held in memory.
_MOST_HELD = 256

Where = Literal["memory", "store", "made"]


class BundleShelf:
    """Finds and keeps bundles by source and id.

    Args:
        pool: of the store.
        keeps_words: whether a task and the text that quotes it may be stored.
    """

    def __init__(self, pool: Pool, *, keeps_words: bool) -> None:
        self._pool = pool
        self._keeps_words = keeps_words
        self._held: OrderedDict[tuple[int, str], Compiled] = OrderedDict()
        self._owed: dict[tuple[int, str], BundleRow] = {}
        self._lock = Lock()

    async def find(self, source_id: int, bundle_id: str) -> tuple[Compiled, Where] | None:
        """Return a bundle with its text; None when it must be made, or the store is away."""
        held = self.held(source_id, bundle_id)
        if held:
            return held, "memory"
        try:
            row = await self.row(source_id, bundle_id)
        except StoreUnavailableError:
            return None
        stored = _compiled(row) if row else None
        if stored is None:
            return None
        self._hold(source_id, stored)
        return stored, "store"

    def held(self, source_id: int, bundle_id: str) -> Compiled | None:
        """Return a bundle from memory."""
        with self._lock:
            found = self._held.get((source_id, bundle_id))
            if found:
                self._held.move_to_end((source_id, bundle_id))
            return found

    async def row(self, source_id: int, bundle_id: str) -> BundleRow | None:
        """Return a bundle as it is stored.

        Raises:
            StoreUnavailableError: the database is away.
        """
        if not _BUNDLE_ID.fullmatch(bundle_id):
            return None
        async with transaction(self._pool) as connection:
            return await find_bundle(connection, source_id, bundle_id)

    async def keep(self, source_id: int, made: Compiled) -> Compiled:
        """Keep a bundle that was made; one that another process stored before wins."""
        row = _row(source_id, made, keeps_words=self._keeps_words)
        stored = None
        try:
            async with transaction(self._pool) as connection:
                stored = await keep_bundle(connection, row)
        except StoreUnavailableError:
            self._owe(row)  # a cache must not fail a read
        kept = (_compiled(stored) if stored else None) or made
        self._hold(source_id, kept)
        return kept

    def take_owed(self, source_id: int, bundle_id: str) -> BundleRow | None:
        """Return a bundle that the store was not there to take, once; its text is left to Git."""
        with self._lock:
            return self._owed.pop((source_id, bundle_id), None)

    def _owe(self, row: BundleRow) -> None:
        with self._lock:
            if len(self._owed) < _MOST_HELD:
                self._owed[row.source_id, row.id] = msgspec.structs.replace(row, text=None)

    def _hold(self, source_id: int, bundle: Compiled) -> None:
        with self._lock:
            self._held[source_id, bundle.id] = bundle
            self._held.move_to_end((source_id, bundle.id))
            while len(self._held) > _MOST_HELD:
                self._held.popitem(last=False)


def digest_of(text: str) -> bytes:
    """Return what tells whether a text was made again to the byte."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _compiled(row: BundleRow) -> Compiled | None:
    stored = stored_request(row)
    if row.text is None or stored is None:
        return None
    request, state, manifest = stored
    return Compiled(row.id, request, state, manifest, row.text)


def _row(source_id: int, made: Compiled, *, keeps_words: bool) -> BundleRow:
    request, state = made.request, made.state
    return BundleRow(
        source_id=source_id,
        id=made.id,
        task=request.task if keeps_words else "",
        scopes=list(request.scopes),
        max_tokens=request.max_tokens,
        paths=list(request.paths),
        day=request.day,
        commit=state.commit,
        builder_version=state.builder_version,
        model=state.model,
        vector_epoch=state.vector_epoch,
        manifest=encode_manifest(made.manifest),
        sha256=digest_of(made.text),
        text=made.text if keeps_words else None,
    )
