"""The search index of one commit, as a worker holds it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brain.query.scopes import scope_of
from brain.query.view import View
from brain.search.bm25 import Collection
from brain.search.live import Joined, join_heads, join_postings
from brain.search.posting_block import Postings
from brain.search.stored_segment import SearchDocument, SegmentHead, bucket_of
from brain.tree.reference_ids import is_reference_id

#: What a document and a chunk cost, held.
_DOCUMENT_BYTES = 600
_CHUNK_BYTES = 25


class SearchIndex(msgspec.Struct, frozen=True):
    """All segments of a source at one commit, joined."""

    segment_ids: tuple[int, ...]
    bucket_counts: tuple[int, ...]
    joined: Joined
    #: By number of the document: its scope.
    scopes: tuple[str, ...]
    #: Numbers of the documents that exist, by path.
    numbers: dict[str, int]
    #: Numbers of the documents that took the place of others, by number, and what they are named.
    successors: dict[int, tuple[int, str]]
    #: How many documents each scope has, by name.
    scope_counts: dict[str, int]
    #: Numbers of the chunks, gone ones too, in the order of their ids.
    by_id: npt.NDArray[np.intp]

    @property
    def collection(self) -> Collection:
        """The chunks."""
        return self.joined.collection

    @property
    def documents(self) -> Sequence[SearchDocument]:
        """Every document that the segments hold, by number."""
        return self.joined.documents

    def numbers_of(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of each chunk that exists, by id."""
        wanted = np.array([int(each, 16) for each in ids], np.uint64)
        firsts = np.searchsorted(self.collection.ids, wanted, "left", sorter=self.by_id)
        ends = np.searchsorted(self.collection.ids, wanted, "right", sorter=self.by_id)
        found = {}
        for each, first, end in zip(ids, firsts.tolist(), ends.tolist(), strict=True):
            for number in self.by_id[first:end].tolist():
                if self.collection.alive[number]:
                    found[each] = number
        return found

    @property
    def size_bytes(self) -> int:
        """Bytes held, about."""
        return len(self.documents) * _DOCUMENT_BYTES + len(self.collection.ids) * _CHUNK_BYTES


async def search_index(view: View) -> SearchIndex:
    """Return the search index of a view's commit, joined now if it is not held."""

    async def make() -> SearchIndex:
        ids, heads = await view.segments()
        return await view.derive(lambda: _joined(ids, heads))

    return await view.once("search", lambda made: made.size_bytes, make)


async def postings_of(view: View, index: SearchIndex, terms: Iterable[str]) -> dict[str, Postings]:
    """Return the postings of terms through all segments; terms that no chunk holds are left out.

    Postings of chunks that are gone are left in.
    """
    wanted = {
        term: [bucket_of(term, count) for count in index.bucket_counts]
        for term in dict.fromkeys(terms)
    }
    pairs = {
        (segment, number)
        for numbers in wanted.values()
        for segment, number in zip(index.segment_ids, numbers, strict=True)
    }
    buckets = await view.buckets(sorted(pairs))
    found = {}
    for term, numbers in wanted.items():
        held = [
            buckets.get((segment, number), _NOTHING)
            for segment, number in zip(index.segment_ids, numbers, strict=True)
        ]
        postings = join_postings(term, index.joined.offsets, held)
        if len(postings.numbers):
            found[term] = postings
    return found


_NOTHING: Mapping[str, bytes] = {}


def frequencies(index: SearchIndex, postings: Mapping[str, Postings]) -> dict[str, int]:
    """Return how many chunks that exist hold each term; those that none holds are left out."""
    alive = index.collection.alive
    counts = {term: int(np.count_nonzero(alive[each.numbers])) for term, each in postings.items()}
    return {term: count for term, count in counts.items() if count}


def _joined(ids: Sequence[int], heads: Sequence[SegmentHead]) -> SearchIndex:
    joined = join_heads(heads)
    # a document without chunks has none that tells whether it exists: the newest of a path does
    newest = {document.path: number for number, document in enumerate(joined.documents)}
    replaced = _replaced(heads)
    numbers = {path: number for path, number in newest.items() if number not in replaced}
    return make_index(ids, [head.bucket_count for head in heads], joined, numbers)


def make_index(
    ids: Sequence[int], bucket_counts: Sequence[int], joined: Joined, numbers: dict[str, int]
) -> SearchIndex:
    """Derive what is asked of joined segments again and again.

    Args:
        ids: of the segments.
        bucket_counts: of each segment.
        joined: the segments.
        numbers: of the documents that exist, by path.
    """
    scopes = tuple(scope_of(document.path) for document in joined.documents)
    return SearchIndex(
        segment_ids=tuple(ids),
        bucket_counts=tuple(bucket_counts),
        joined=joined,
        scopes=scopes,
        numbers=numbers,
        successors=_successors(joined.documents, numbers),
        scope_counts=dict(sorted(Counter(map(scopes.__getitem__, numbers.values())).items())),
        by_id=np.argsort(joined.collection.ids),
    )


def _replaced(heads: Sequence[SegmentHead]) -> set[int]:
    """Return the numbers of documents that a newer segment replaced or removed."""
    gone: set[str] = set()
    numbers: set[int] = set()
    end = sum(len(head.documents) for head in heads)
    for head in reversed(heads):
        start = end - len(head.documents)
        numbers.update(
            number for number, document in enumerate(head.documents, start) if document.path in gone
        )
        gone.update(head.replaced)
        end = start
    return numbers


def _successors(
    documents: Sequence[SearchDocument], numbers: Mapping[str, int]
) -> dict[int, tuple[int, str]]:
    """Find what took the place of documents, as they say themselves or as their successors do."""
    named = _by_name(documents, numbers)
    found: dict[int, tuple[int, str]] = {}
    for path in sorted(numbers):
        number = numbers[path]
        for name in documents[number].superseded_by:
            if (newer := _find(named, name)) not in (None, number):
                found.setdefault(number, (newer, name.strip("[] ")))
    for path in sorted(numbers):
        number = numbers[path]
        for name in documents[number].supersedes:
            if (older := _find(named, name)) not in (None, number):
                found.setdefault(older, (number, documents[number].id or path))
    return found


def _by_name(documents: Sequence[SearchDocument], numbers: Mapping[str, int]) -> dict[str, int]:
    named: dict[str, int] = {}
    for path in sorted(numbers):
        named.setdefault(path.rpartition("/")[2].removesuffix(".md"), numbers[path])
    for path, number in numbers.items():
        named[path] = number
        if documents[number].id:
            named[documents[number].id] = number
    return named


def _find(named: Mapping[str, int], name: str) -> int | None:
    wanted = name.strip("[] ")
    return named.get(wanted, named.get(_leading_id(wanted)))


def _leading_id(name: str) -> str:
    first = name.split(" ", 1)[0]
    return first if is_reference_id(first) else name
