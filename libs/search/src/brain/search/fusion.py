"""Fusion: one ranking of several legs (keyword, vector, graph), by rank or by score."""

from collections.abc import Iterable, Sequence

import msgspec

from brain.search.nearness import Nearness

#: Places added to every rank, so that first places do not outweigh agreement.
RANK_OFFSET = 60
#: A leg that ranked anything keeps so much weight: what it alone found is still found.
_LEAST_WEIGHT = 0.01
#: What an entry of a leg's tail counts for, against one of its head.
TAIL_WEIGHT = 0.25


class Leg(msgspec.Struct, frozen=True):
    """One ranking, best first, no id twice."""

    #: As `explain` shows it: ``keyword``, ``vector``, ``graph``.
    name: str
    ids: Sequence[str]
    #: One for each id, of any unit; a tail may score higher than the head before it.
    scores: Sequence[float]
    #: What the leg counts for against the others, not negative; 0 when it has nothing to say.
    weight: float = 1.0
    #: Ids of the head; the rest is a tail that matched less well. 0 when there is none.
    head: int = 0


class Place(msgspec.Struct, frozen=True):
    """Where a leg ranked an id, from 1, and with what score of its own."""

    leg: str
    rank: int
    score: float


class Fused(msgspec.Struct, frozen=True):
    """An id with its score over all legs and where each leg ranked it."""

    id: str
    score: float
    places: tuple[Place, ...]


def keyword_weight(strength: float) -> float:
    """Return what the keyword leg counts for: the more, the more of the question its best holds.

    A question in another language, or in none of the words of any document, hits names and chance
    words only; a vector leg must not be drowned in these.

    Args:
        strength: `brain.search.bm25.KeywordRanking.strength`.

    Source: with `vector_weight`, no worse than the better leg alone on any set, docs/retrieval.md.
    """
    return max(_LEAST_WEIGHT, strength)


def vector_weight(nearness: Nearness, trust: float) -> float:
    """Return what the vector leg counts for: the more, the further its best is ahead.

    Of a question that a model does not understand, or that no chunk answers, all cosines are about
    the same, and which of them is the best is chance.

    Args:
        nearness: of the leg's cosines.
        trust: what a lead of a whole is worth against a keyword leg that holds all of the question;
            measured for each model.
    """
    return max(_LEAST_WEIGHT, trust * nearness.lead)


def fuse_ranks(legs: Sequence[Leg], offset: int = RANK_OFFSET) -> list[Fused]:
    """Fuse legs by reciprocal rank.

    An id scores the sum of weight / (offset + rank) over the legs that rank it, rank counted from
    1, `TAIL_WEIGHT` of that in a leg's tail. Equal scores go by id. A leg of weight 0 adds nothing,
    not even ids.

    Source: Cormack, Clarke and Buettcher, SIGIR 2009.
    """
    return _fused(legs, [_rank_shares(leg, offset) for leg in legs])


def fuse_scores(legs: Sequence[Leg]) -> list[Fused]:
    """Fuse legs by what their scores say.

    In each leg scores are spread over 0 to 1, from just below its least to its best; an id scores
    the weighted sum over all legs, nothing where a leg lacks it. Heads and tails are not looked at.
    Unlike ranks this keeps how far a leg's best is ahead of its others. Equal scores go by id.

    Source: docs/retrieval.md, measured against `fuse_ranks`.
    """
    return _fused(legs, [_score_shares(leg) for leg in legs])


def _rank_shares(leg: Leg, offset: int) -> list[float]:
    head = leg.head or len(leg.ids)
    return [
        leg.weight * (1 if place < head else TAIL_WEIGHT) / (offset + place + 1)
        for place in range(len(leg.ids))
    ]


def _score_shares(leg: Leg) -> list[float]:
    if not leg.ids:
        return []
    best, least = max(leg.scores), min(leg.scores)
    # the last entry is still a hit: it gets what an entry would that follows the others evenly
    floor = least - (best - least) / len(leg.ids)
    if best <= floor:
        return [leg.weight] * len(leg.ids)
    return [leg.weight * (score - floor) / (best - floor) for score in leg.scores]


def _fused(legs: Sequence[Leg], shares: Iterable[Sequence[float]]) -> list[Fused]:
    scores: dict[str, float] = {}
    places: dict[str, list[Place]] = {}
    for leg, share in zip(legs, shares, strict=True):
        if leg.weight <= 0:
            continue
        for rank, (each, score) in enumerate(zip(leg.ids, share, strict=True), 1):
            scores[each] = scores.get(each, 0.0) + score
            places.setdefault(each, []).append(Place(leg.name, rank, leg.scores[rank - 1]))
    order = sorted(scores, key=lambda each: (-scores[each], each))
    return [Fused(each, scores[each], tuple(places[each])) for each in order]


def limit_per_document(
    ranked: Iterable[Fused], documents: dict[str, str], most: int
) -> list[Fused]:
    """Keep the best *most* of each document, in order.

    Args:
        ranked: best first.
        documents: document of every id in *ranked*.
        most: at least 1.
    """
    kept: list[Fused] = []
    counts: dict[str, int] = {}
    for each in ranked:
        document = documents[each.id]
        counts[document] = counts.get(document, 0) + 1
        if counts[document] <= most:
            kept.append(each)
    return kept
