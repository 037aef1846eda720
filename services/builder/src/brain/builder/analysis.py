"""Analysis: documents to what ranked search stores of them."""

from array import array

import msgspec

from brain.markdown.line_index import decode_text
from brain.search.chunk_place import chunk_places, encode_places
from brain.search.chunks import chunk_document
from brain.search.embedded_text import embedded_text, text_hash
from brain.search.posting_collector import Collected, PostingCollector
from brain.search.stored_segment import SearchDocument, search_document
from brain.search.vocabulary import Vocabulary
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
    postings: list[Collected]


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
