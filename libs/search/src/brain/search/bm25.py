"""BM25 over the chunks of one source: the keyword leg."""

import math
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brain.search.posting_block import Postings
from brain.search.question import Question, Word

Mask = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]

K1 = 1.2
B = 0.75
#: Share of its document's best score that a chunk with any score gets. Measured, docs/retrieval.md.
DOCUMENT_SHARE = 0.3
#: Digits an idf keeps: logarithms differ between C libraries in the last ones.
_IDF_DIGITS = 6


class Collection(msgspec.Struct, frozen=True):
    """The chunks that postings number: parallel arrays by number, and which of them still exist."""

    #: The 16 hex digits of each chunk id as a number.
    ids: npt.NDArray[np.uint64]
    #: Sum of the chunk's weights, `brain.search.posting_collector`.
    lengths: npt.NDArray[np.int32]
    #: Number of the document of each chunk, from 0.
    documents: npt.NDArray[np.int32]
    #: False where a later build replaced or removed the chunk.
    alive: Mask

    def count(self) -> int:
        """Return how many chunks exist."""
        return int(np.count_nonzero(self.alive))

    def average_length(self) -> float:
        """Return the mean length of the chunks that exist, at least 1."""
        count = self.count()
        total = int(self.lengths[self.alive].sum(dtype=np.int64))
        return max(1.0, total / count) if count else 1.0


class KeywordRanking(msgspec.Struct, frozen=True):
    """Chunks best first: those with every word of the question, then those with any."""

    numbers: npt.NDArray[np.int64]
    scores: Scores
    #: How many of the first hold every word.
    complete: int
    #: Of the question's weight, the share that the best-scored chunk holds; 0 without a hit.
    coverage: float
    #: The best score as a share of what a chunk could have that holds every word at its most; words
    #: that no chunk holds count fully. 0 to 1, comparable between questions and sources.
    strength: float


class Hits(msgspec.Struct, frozen=True):
    """Every chunk that holds a word of the question, by ascending number."""

    numbers: npt.NDArray[np.int64]
    #: As `rank_keywords` gives them; above 0.
    scores: Scores
    #: Whether the chunk holds every word.
    complete: Mask
    #: What a chunk would score that holds every word at its most, see `KeywordRanking.strength`.
    ceiling: float


def rank_keywords(
    question: Question,
    postings: Mapping[str, Postings],
    collection: Collection,
    *,
    limit: int,
    allowed: Mask | None = None,
) -> KeywordRanking:
    """Rank chunks for a question by BM25.

    A word scores the sum over its forms of weight * idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b *
    length / average)), idf = ln(1 + (n - df + 0.5) / (df + 0.5)), counted over the chunks that
    exist. A chunk also gets `DOCUMENT_SHARE` of the best score in its document. Chunks that hold
    every word lead. Equal scores go by chunk id, so how chunks are numbered changes nothing.

    Args:
        question: words none of whose forms has a posting keep any chunk from holding every word.
        postings: by term, numbers into *collection*; those of chunks that are gone may be left in.
        collection: the source's chunks; statistics are over all that exist, allowed or not.
        limit: entries at most, at least 1.
        allowed: chunks that may appear; applied before anything is cut.

    Source: Robertson and Zaragoza, Foundations and Trends in IR 3(4), 2009, with Lucene's idf.
    """
    scoring = _scored(question, postings, collection)
    visible = collection.alive if allowed is None else collection.alive & allowed
    return scoring.ranking(visible, limit)


def score_keywords(
    question: Question, postings: Mapping[str, Postings], collection: Collection
) -> Hits:
    """Score every chunk that exists and holds a word of the question, as `rank_keywords` does."""
    return _scored(question, postings, collection).hits(collection.alive)


def _scored(
    question: Question, postings: Mapping[str, Postings], collection: Collection
) -> "_Scoring":
    scoring = _Scoring(postings, collection)
    for word in question.words:
        scoring.add(word)
    return scoring


class _Scoring:
    """Scores and the number of words held, by chunk."""

    def __init__(self, postings: Mapping[str, Postings], collection: Collection) -> None:
        self._postings = postings
        self._collection = collection
        self._count = collection.count()
        size = len(collection.ids)
        self._scores = np.zeros(size)
        self._words: list[tuple[float, Mask]] = []
        relative = collection.lengths / collection.average_length()
        self._norms = K1 * (1 - B + B * relative)
        self._ceiling = 0.0

    def add(self, word: Word) -> None:
        held = np.zeros(len(self._scores), np.bool_)
        most = 0.0
        for form in word.forms:
            postings = self._postings.get(form.term)
            numbers = postings.numbers if postings is not None else _NOWHERE
            if self._count < len(self._scores):
                frequency = int(np.count_nonzero(self._collection.alive[numbers]))
            else:
                frequency = len(numbers)
            weight = form.weight * idf(self._count, frequency)
            most += weight
            if postings is not None and frequency:
                tf = postings.weights / 4.0
                self._scores[numbers] += weight * (K1 + 1) * tf / (tf + self._norms[numbers])
                held[numbers] = True
        self._words.append((most, held))
        self._ceiling += most * (K1 + 1)

    def hits(self, visible: Mask) -> Hits:
        scores = np.where(visible, self._scores, 0.0)
        numbers = np.flatnonzero(scores)
        ceiling = (1 + DOCUMENT_SHARE) * self._ceiling
        if not len(numbers):
            return Hits(numbers, np.empty(0), np.empty(0, np.bool_), ceiling)
        best = self._best_of_document(numbers, scores[numbers])
        complete = np.ones(len(numbers), np.bool_)
        for _, held in self._words:
            complete &= held[numbers]
        return Hits(numbers, scores[numbers] + DOCUMENT_SHARE * best, complete, ceiling)

    def ranking(self, visible: Mask, limit: int) -> KeywordRanking:
        hits = self.hits(visible)
        if not len(hits.numbers):
            return KeywordRanking(hits.numbers, hits.scores, 0, 0.0, 0.0)
        best = _best(hits.scores, hits.complete, self._collection.ids[hits.numbers], limit)
        return KeywordRanking(
            numbers=hits.numbers[best],
            scores=hits.scores[best],
            complete=int(np.count_nonzero(hits.complete[best])),
            coverage=self._coverage(int(hits.numbers[int(hits.scores.argmax())])),
            strength=float(hits.scores.max()) / hits.ceiling,
        )

    def _best_of_document(self, hits: npt.NDArray[np.int64], scores: Scores) -> Scores:
        documents = self._collection.documents[hits]
        best = np.zeros(int(documents.max()) + 1)
        np.maximum.at(best, documents, scores)
        return best[documents]

    def _coverage(self, number: int) -> float:
        total = sum(most for most, _ in self._words)
        return sum(most for most, held in self._words if held[number]) / total if total else 0.0


_NOWHERE = np.empty(0, np.int32)


def idf(count: int, frequency: int) -> float:
    """Return the inverse document frequency of a term in *frequency* of *count* chunks."""
    return round(math.log(1 + (count - frequency + 0.5) / (frequency + 0.5)), _IDF_DIGITS)


def _best(
    scores: Scores, complete: Mask, ids: npt.NDArray[np.uint64], limit: int
) -> npt.NDArray[np.int64]:
    """Return the places of the best *limit*: complete ones first, by score, then by id."""
    places = np.arange(len(scores))
    if len(scores) > limit:
        lead = int(np.count_nonzero(complete))
        chosen = complete if lead >= limit else ~complete
        wanted = limit if lead >= limit else limit - lead
        least = np.partition(scores[chosen], -wanted)[-wanted]
        kept = chosen & (scores >= least) if lead >= limit else complete | (scores >= least)
        places = places[kept]
    order = np.lexsort((ids[places], -scores[places], ~complete[places]))
    return places[order][:limit]


def chunk_numbers(ids: Sequence[str]) -> npt.NDArray[np.uint64]:
    """Return chunk ids of 16 hex digits as numbers; their order is the same."""
    return np.array([int(each, 16) for each in ids], np.uint64)
