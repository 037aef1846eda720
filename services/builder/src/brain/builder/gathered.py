"""What workers read, put together; apart from them, who need no database."""

from array import array
from collections.abc import Iterable, Sequence

import numpy as np

from brain.builder.analysis import Analysed
from brain.search.segment import SegmentBuilder
from brain.search.stored_segment import SearchDocument, StoredSegment, store_segment
from brain.store.search_index import PlacesRow


class Gathered:
    """Puts together what workers read, in the order of the documents."""

    def __init__(self) -> None:
        self.documents: list[SearchDocument] = []
        self.places: list[bytes] = []
        self.texts: list[bytes] = []
        self._ids = array("Q")
        self._builder = SegmentBuilder()

    def add(self, more: Analysed) -> None:
        """Add the next documents."""
        self.documents += more.documents
        self.places += more.places
        self.texts += more.texts
        self._ids.frombytes(more.ids)
        for postings in more.postings:
            self._builder.absorb(postings)

    def segment(self, tag: str, replaced: Iterable[str]) -> StoredSegment:
        """Make the segment of everything that was added."""
        ids = np.frombuffer(self._ids, np.uint64) if self._ids else np.empty(0, np.uint64)
        return store_segment(tag, self._builder.finish(), self.documents, replaced, ids)

    def place_rows(self) -> Sequence[PlacesRow]:
        """Return the row of each document's chunks."""
        paths = (document.path for document in self.documents)
        return [PlacesRow(*row) for row in zip(paths, self.places, self.texts, strict=True)]
