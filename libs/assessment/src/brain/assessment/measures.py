"""Measures of a ranking whose right answers are known."""

import math
from collections.abc import Sequence

import msgspec

DEPTH = 10
#: In the order of the table.
MEASURES = ("recall@5", "recall@10", "mrr", "ndcg@10")


class Outcome(msgspec.Struct, frozen=True):
    """What a ranking did with each thing that was to be found."""

    #: The rank at which it stands, from 1; 0 when it is not there.
    ranks: tuple[int, ...]
    #: How much it matters, above 0.
    grades: tuple[float, ...]


def measure(outcome: Outcome) -> dict[str, float]:
    """Return every measure of one question, each 0 to 1.

    Recall is the share of the things that stand among the first 5 or 10, whatever their grade.
    MRR is 1 / the first rank, 0 beyond the tenth. nDCG adds grade / log2(1 + rank) up to the tenth
    and divides by the most that could be reached; one hit may be two things at once, so it is
    cut at 1.

    Source: Järvelin and Kekäläinen, TOIS 2002, with linear gains as trec_eval has them.
    """
    seen = [rank for rank in outcome.ranks if 0 < rank <= DEPTH]
    return {
        "recall@5": sum(rank <= 5 for rank in seen) / len(outcome.ranks),  # noqa: PLR2004 - its name
        "recall@10": len(seen) / len(outcome.ranks),
        "mrr": 1 / min(seen) if seen else 0.0,
        "ndcg@10": min(1.0, _gain(outcome) / _ideal(outcome.grades)),
    }


def mean_of(measured: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of every measure, to four digits; of nothing, nothing."""
    if not measured:
        return {}
    return {
        name: round(math.fsum(each[name] for each in measured) / len(measured), 4)
        for name in MEASURES
    }


def _gain(outcome: Outcome) -> float:
    pairs = zip(outcome.ranks, outcome.grades, strict=True)
    return math.fsum(grade / math.log2(1 + rank) for rank, grade in pairs if 0 < rank <= DEPTH)


def _ideal(grades: Sequence[float]) -> float:
    best = sorted(grades, reverse=True)[:DEPTH]
    return math.fsum(grade / math.log2(1 + rank) for rank, grade in enumerate(best, 1))
