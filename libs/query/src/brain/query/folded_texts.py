"""Folded texts: the case-folded text of sources that are searched, held within a byte budget.

A text is held by its blob, so a new commit costs only what changed. When the budget is full, the
source searched longest ago gives way; a source larger than the whole budget is held in part and
read from Git for the rest.
"""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

from brain.gitmirror.snapshot import Snapshot

DEFAULT_BYTES = 192 * 1024 * 1024
#: What an entry costs besides its text.
_OVERHEAD_BYTES = 200


def fold(data: bytes) -> bytes:
    """Fold case as Unicode does; newlines stay where they are, so lines keep their numbers."""
    return data.decode("utf-8", "replace").casefold().encode("utf-8", "replace")


class FoldedTexts:
    """Folded texts by source and blob.

    Args:
        max_bytes: of all sources together.
    """

    def __init__(self, max_bytes: int = DEFAULT_BYTES) -> None:
        self._max_bytes = max_bytes
        self._sources: OrderedDict[int, dict[str, bytes]] = OrderedDict()
        self._commits: dict[int, str] = {}
        self._size_bytes = 0
        self._lock = Lock()

    def of_commit(self, source_id: int, commit: str, blobs: Iterable[str]) -> dict[str, bytes]:
        """Return what is held of a source, for `fill`; of an older commit, only what both have."""
        with self._lock:
            held = self._sources.setdefault(source_id, {})
            self._sources.move_to_end(source_id)
            if self._commits.get(source_id) != commit:
                present = set(blobs)
                kept = {blob: text for blob, text in held.items() if blob in present}
                self._size_bytes -= _size(held) - _size(kept)
                self._sources[source_id] = held = kept
                self._commits[source_id] = commit
            return held

    def fill(self, source_id: int, held: dict[str, bytes], snapshot: Snapshot, blob: str) -> bytes:
        """Read and fold a text, and hold it if there is room.

        Raises:
            ObjectMissingError, MirrorCorruptError: as reading the blob does.
        """
        text = fold(snapshot.read_blob(blob))
        size_bytes = len(text) + _OVERHEAD_BYTES
        with self._lock:
            if blob not in held and self._make_room(source_id, size_bytes):
                held[blob] = text
                self._size_bytes += size_bytes
        return text

    @property
    def size_bytes(self) -> int:
        """Bytes held."""
        return self._size_bytes

    def _make_room(self, source_id: int, size_bytes: int) -> bool:
        while self._size_bytes + size_bytes > self._max_bytes:
            oldest = next(iter(self._sources))
            if oldest == source_id:
                return False
            self._size_bytes -= _size(self._sources.pop(oldest))
            self._commits.pop(oldest, None)
        return source_id in self._sources


def _size(held: dict[str, bytes]) -> int:
    return sum(map(len, held.values())) + _OVERHEAD_BYTES * len(held)
