"""Analysis: documents to what ranked search stores of them."""

from array import array
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from brain.markdown.line_index import decode_text
from brain.search.chunk_place import chunk_places, encode_places
from brain.search.chunks import chunk_document
from brain.search.embedded_text import embedded_text, text_hash
from brain.search.posting_collector import Collected, PostingCollector
from brain.search.segment import SegmentBuilder
from brain.search.stored_segment import (
    SearchDocument,
    StoredSegment,
    search_document,
    store_segment,
)
from brain.search.vocabulary import Vocabulary
from brain.store.search_index import PlacesRow
from brain.tree.parse import ParsedDocument
from brain.tree.place import place_document


class Analysed(msgspec.Struct, frozen=True):
    """The chunks of some documents, in their order, as they travel between processes."""

    documents: list[SearchDocument]
    #: Encoded places of each document's chunks.
    places: list[bytes]
    #: Hashes of what is embedded of each document's chunks, joined.
    texts: list[bytes]
    #: Id of each chunk (uint64).
    ids: bytes
    postings: Collected


class Analysis:
    """Reads documents into chunks; one after another."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._documents: list[SearchDocument] = []
        self._places: list[bytes] = []
        self._texts: list[bytes] = []
        self._ids = array("Q")
        self._collector = PostingCollector(vocabulary)

    def add(self, parsed: ParsedDocument, path: str, blob: str, data: bytes) -> None:
        """Read the next document."""
        row = place_document(parsed, path, blob)
        text = decode_text(data)
        chunks = chunk_document(row, text)
        for chunk in chunks:
            self._collector.add(chunk)
            self._ids.append(int(chunk.id, 16))
        self._documents.append(search_document(row, len(chunks)))
        self._places.append(encode_places(chunk_places(row, chunks)))
        self._texts.append(b"".join(text_hash(embedded_text(each, text)) for each in chunks))

    def analysed(self) -> Analysed:
        """Return what was read so far."""
        return Analysed(
            self._documents,
            self._places,
            self._texts,
            self._ids.tobytes(),
            self._collector.collected(),
        )


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
        self._builder.absorb(more.postings)

    def segment(self, tag: str, replaced: Iterable[str]) -> StoredSegment:
        """Make the segment of everything that was added."""
        ids = np.frombuffer(self._ids, np.uint64) if self._ids else np.empty(0, np.uint64)
        return store_segment(tag, self._builder.finish(), self.documents, replaced, ids)

    def place_rows(self) -> Sequence[PlacesRow]:
        """Return the row of each document's chunks."""
        paths = (document.path for document in self.documents)
        return [PlacesRow(*row) for row in zip(paths, self.places, self.texts, strict=True)]
