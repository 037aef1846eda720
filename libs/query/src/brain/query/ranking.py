"""Ranking: a question to chunks of one commit, best first."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Literal

import msgspec
import numpy as np

from brain.query.errors import BadRequestError
from brain.query.scopes import EVERYWHERE, chosen_scopes, left_aside
from brain.query.search_index import SearchIndex, frequencies, postings_of, search_index
from brain.query.standing import standing_of
from brain.query.vector_leg import AskedVector, ask_vector, rank_vectors
from brain.query.view import View
from brain.search.bm25 import KeywordRanking, Mask, rank_keywords
from brain.search.confidence import confidence
from brain.search.fusion import Fused, Leg, fuse_scores, keyword_weight
from brain.search.posting_block import Postings
from brain.search.question import MAX_CHARS, Question, read_question
from brain.search.spelling import correct_question, misspelled_words, spellings

Mode = Literal["bm25", "vector", "hybrid"]

#: Entries of each leg.
LEG_DEPTH = 50
#: Chunks that still hold which one that no longer does lets pass.
_LET_PASS = 3
_MOST_LABELS = 20


class Filters(msgspec.Struct, frozen=True):
    """What a search is limited to; applied inside every leg, before anything is cut."""

    scopes: tuple[str, ...] = ()
    #: A folder or document path; empty for all.
    under: str = ""
    #: Labels of which a document has all, and a status it has.
    labels: tuple[str, ...] = ()
    status: str = ""

    def told(self) -> tuple[str, ...]:
        """Return where was looked, as a log keeps it: scopes, then what narrows them further."""
        under = (f"under {self.under}",) if self.under else ()
        status = (f"status {self.status}",) if self.status else ()
        return (*self.scopes, *under, *(f"label {label}" for label in self.labels), *status)


class Ranked(msgspec.Struct, frozen=True):
    """Chunks best first, by number, with where each leg ranked them."""

    index: SearchIndex
    entries: list[tuple[int, Fused]]
    confidence: float
    warnings: tuple[str, ...]


async def rank(
    view: View, text: str, filters: Filters, mode: Mode, *, today: date | None = None
) -> Ranked:
    """Rank the chunks of a view's commit for a question.

    Raises:
        BadRequestError: the question is empty or too long, a scope is not there, or the mode needs
            vectors that this source does not have.
    """
    if not text.strip() or len(text) > MAX_CHARS:
        raise BadRequestError("query", f"must hold 1 to {MAX_CHARS:,} characters.")
    model = view.shelf.questions.model
    if mode == "vector" and model is None:
        raise BadRequestError("mode", "vector needs an embedding model, and none is configured.")
    # another process embeds the question while this one ranks by keywords
    asking = asyncio.create_task(_asked(view, text, mode))
    try:
        index = await search_index(view)
        allowed = _allowed(index, filters)
        keyword = await _keyword_ranking(view, index, text, allowed)
        vector = await rank_vectors(view, index, await asking, allowed, LEG_DEPTH)
    finally:
        asking.cancel()
    legs = _legs(index, keyword, vector.leg, mode)
    day = today or datetime.now(UTC).date()
    return Ranked(
        index=index,
        entries=_demoted(index, fuse_scores(legs), day),
        confidence=confidence(keyword.strength, vector.nearness, vector.trust),
        warnings=(*vector.warnings, *_left_aside(index, filters)),
    )


def _left_aside(index: SearchIndex, filters: Filters) -> tuple[str, ...]:
    told = "" if filters.under.strip("/") else left_aside(filters.scopes, index.scope_counts)
    return (told,) if told else ()


async def _asked(view: View, text: str, mode: Mode) -> AskedVector:
    return AskedVector() if mode == "bm25" else await ask_vector(view, text)


async def _keyword_ranking(
    view: View, index: SearchIndex, text: str, allowed: Mask | None
) -> KeywordRanking:
    question, postings = await asked_postings(view, index, text)
    return await view.derive(
        lambda: rank_keywords(
            question, postings, index.collection, limit=LEG_DEPTH, allowed=allowed
        )
    )


async def asked_postings(
    view: View, index: SearchIndex, text: str
) -> tuple[Question, dict[str, Postings]]:
    """Read a question, and the postings of its words; a misspelled one is asked as corrected."""
    asked = await view.derive(lambda: read_question(text))
    found = await postings_of(view, index, asked.terms())
    return await _corrected(view, index, asked, found)


async def _corrected(
    view: View, index: SearchIndex, question: Question, found: dict[str, Postings]
) -> tuple[Question, dict[str, Postings]]:
    """Ask another spelling of words that no chunk holds; returns it with all postings it needs."""
    known = frequencies(index, found)
    wrong = misspelled_words(question, known)
    if not wrong:
        return question, found
    terms = sorted({term for word in wrong for term in spellings(word)})
    near = await postings_of(view, index, terms)
    return correct_question(question, known | frequencies(index, near)), found | near


def _allowed(index: SearchIndex, filters: Filters) -> Mask | None:
    """Return the chunks that the filters let through; None for all."""
    under = filters.under.strip("/")
    # a folder says itself where to look
    asked = filters.scopes or ((EVERYWHERE,) if under else ())
    scopes = chosen_scopes(asked, index.scope_counts)
    if len(filters.labels) > _MOST_LABELS:
        raise BadRequestError("label", f"must be at most {_MOST_LABELS}.")
    labels = frozenset(label.strip().lstrip("#").lower() for label in filters.labels)
    status = filters.status.strip().lower()
    if scopes is None and not (labels or under or status):
        return None
    passed = np.zeros(len(index.documents), np.bool_)
    for path, number in index.numbers.items():
        document = index.documents[number]
        passed[number] = (
            (scopes is None or index.scopes[number] in scopes)
            and (not under or path == under or path.startswith(f"{under}/"))
            and labels <= set(document.labels)
            and (not status or document.status == status)
        )
    return passed[index.collection.documents]


def _legs(index: SearchIndex, keyword: KeywordRanking, vector: Leg | None, mode: Mode) -> list[Leg]:
    """Return the legs that are fused: keywords alone where there is no vector leg."""
    if vector is None:
        return [_leg("keyword", index, keyword, 1.0)]
    if mode == "vector":
        return [vector]
    return [_leg("keyword", index, keyword, keyword_weight(keyword.strength)), vector]


def _leg(name: str, index: SearchIndex, ranking: KeywordRanking, weight: float) -> Leg:
    return Leg(
        name,
        [f"{each:016x}" for each in index.collection.ids[ranking.numbers].tolist()],
        ranking.scores.tolist(),
        weight=weight,
        head=ranking.complete,
    )


def _demoted(index: SearchIndex, fused: Sequence[Fused], today: date) -> list[tuple[int, Fused]]:
    """Find the numbers of what was ranked, and put what no longer holds behind.

    It lets pass what took its place, and `_LET_PASS` others; no score is above the one before it.
    """
    numbers = index.numbers_of([each.id for each in fused])
    documents = {each.id: int(index.collection.documents[numbers[each.id]]) for each in fused}
    left = Counter(documents.values())

    def is_free(entry: tuple[int, Fused]) -> bool:
        successor, _ = index.successors.get(documents[entry[1].id], (-1, ""))
        return not left[successor]

    ordered: list[Fused] = []
    waiting: list[tuple[int, Fused]] = []
    for each in fused:
        document = documents[each.id]
        left[document] -= 1
        if standing_of(index, document, today) is not None:
            waiting.append((len(ordered), each))
            continue
        ordered.append(each)
        due = [
            entry for entry in waiting if len(ordered) - entry[0] >= _LET_PASS and is_free(entry)
        ]
        waiting = [entry for entry in waiting if entry not in due]
        ordered += [held for _, held in due]
    ordered += [held for _, held in waiting]
    return [(numbers[each.id], each) for each in _descending(ordered)]


def _descending(ordered: Sequence[Fused]) -> Iterator[Fused]:
    most = float("inf")
    for each in ordered:
        most = min(most, each.score)
        yield msgspec.structs.replace(each, score=most)
