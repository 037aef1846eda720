"""Folded texts: the case-folded text of sources that are searched, held within a byte budget.

A text is held by its blob, so a new commit costs only what changed. When the budget is full, the
source searched longest ago gives way; a source larger than the whole budget is held in part and
read from Git for the rest. Beside the texts stands an index of their words, made in the background.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock

from brain.gitmirror.snapshot import Snapshot
from brain.query.word_index import WordIndex

DEFAULT_BYTES = 192 * 1024 * 1024
#: What an entry costs besides its text.
_OVERHEAD_BYTES = 200
#: Texts that are not indexed yet are searched one by one; more are worth the indexing.
_MOST_UNINDEXED = 200
_MOST_INDEXES = 8


class _Source:
    """What is held of one source."""

    def __init__(self) -> None:
        self.commit = ""
        self.texts: dict[str, bytes] = {}
        #: Each of other texts; a new one holds what the others do not.
        self.indexes: tuple[WordIndex, ...] = ()
        self.is_indexing = False
        #: Whether the texts are those for which an index was last found to be enough.
        self.is_settled = False

    @property
    def size_bytes(self) -> int:
        return (
            sum(map(len, self.texts.values()))
            + _OVERHEAD_BYTES * len(self.texts)
            + sum(index.size_bytes for index in self.indexes)
        )

    def unindexed(self) -> set[str]:
        """Return the blobs that no index knows."""
        return set(self.texts).difference(*(index.known for index in self.indexes))


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
        self._sources: OrderedDict[int, _Source] = OrderedDict()
        self._size_bytes = 0
        self._lock = Lock()

    def of_commit(self, source_id: int, commit: str, blobs: Iterable[str]) -> dict[str, bytes]:
        """Return what is held of a source, for `fill`; of an older commit, only what both have."""
        with self._lock:
            source = self._sources.setdefault(source_id, _Source())
            self._sources.move_to_end(source_id)
            if source.commit != commit:
                self._size_bytes -= source.size_bytes
                present = set(blobs)
                source.texts = {b: text for b, text in source.texts.items() if b in present}
                source.commit, source.is_settled = commit, False
                self._size_bytes += source.size_bytes
            return source.texts

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
                self._sources[source_id].is_settled = False
                self._size_bytes += size_bytes
        return text

    def without(self, source_id: int, needles: Sequence[bytes]) -> frozenset[str]:
        """Return blobs of a source whose texts cannot hold every needle; empty until indexed."""
        with self._lock:
            source = self._sources.get(source_id)
        found = [index.without(needles) for index in source.indexes] if source else []
        return found[0].union(*found[1:]) if found else frozenset()

    def wants_index(self, source_id: int) -> bool:
        """Tell whether many texts of a source are not indexed, and nobody is at it."""
        with self._lock:
            source = self._sources.get(source_id)
            if source is None or source.is_indexing or source.is_settled:
                return False
            source.is_settled = len(source.unindexed()) <= _MOST_UNINDEXED
            return not source.is_settled

    def index(self, source_id: int) -> None:
        """Index the words of the texts that no index knows; many take seconds.

        When there are many small indexes, one of everything takes their place.
        """
        with self._lock:
            source = self._sources.get(source_id)
            if source is None or source.is_indexing:
                return
            source.is_indexing = True
            kept = source.indexes if len(source.indexes) < _MOST_INDEXES else ()
            wanted = source.unindexed() if kept else set(source.texts)
            texts = {blob: source.texts[blob] for blob in sorted(wanted)}
        try:
            made = (*kept, WordIndex(texts))
        finally:
            source.is_indexing = False
        self._take(source_id, source, made)

    def _take(self, source_id: int, source: _Source, made: tuple[WordIndex, ...]) -> None:
        """Put new indexes in the place of a source's, if there is room."""
        with self._lock:
            before, after = (
                sum(index.size_bytes for index in indexes) for indexes in (source.indexes, made)
            )
            is_held = self._sources.get(source_id) is source
            if is_held and self._make_room(source_id, after - before):
                source.indexes = made
                self._size_bytes += after - before

    @property
    def size_bytes(self) -> int:
        """Bytes held."""
        return self._size_bytes

    def _make_room(self, source_id: int, size_bytes: int) -> bool:
        while self._size_bytes + size_bytes > self._max_bytes:
            oldest = next(iter(self._sources))
            if oldest == source_id:
                return False
            self._size_bytes -= self._sources.pop(oldest).size_bytes
        return source_id in self._sources
