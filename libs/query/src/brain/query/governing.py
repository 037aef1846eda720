"""Governing documents: those whose front matter says that they cover the code a task touches."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from brain.query.errors import BadRequestError
from brain.query.search_index import SearchIndex
from brain.search.code_paths import covers
from brain.search.fusion import Fused, Leg, Place, fuse_ranks

#: What the list of governing sections counts for against the ranking.
_WEIGHT = 1.5
_MOST_OF_DOCUMENT = 3
_MOST = 6

#: Patterns of one document that are looked at.
_MOST_REFS = 100
_MOST_PATHS = 50
_MOST_PATH_CHARS = 500

Entry = tuple[int, Fused]


def require_paths(paths: Sequence[str]) -> None:
    """Refuse more paths, or longer ones, than a task can be about.

    Raises:
        BadRequestError: at most 50 paths of 500 characters are looked at.
    """
    if len(paths) > _MOST_PATHS:
        raise BadRequestError("paths", f"must be at most {_MOST_PATHS}.")
    if any(len(path) > _MOST_PATH_CHARS for path in paths):
        raise BadRequestError("paths", f"must have at most {_MOST_PATH_CHARS} characters each.")


def led_by_paths(
    index: SearchIndex,
    entries: Sequence[Entry],
    paths: Sequence[str],
    scopes: frozenset[str] | None,
) -> list[Entry]:
    """Put the sections of governing documents ahead of a ranking.

    They are a ranking of their own, fused with the other by rank: at most three of a document and
    six in all; in a document first those that were ranked, in that order, then the others as they
    stand. Documents whose sections were ranked come first. Without paths, or when no document
    claims them, the ranking stays as it is.

    Args:
        index: of the commit.
        entries: chunks best first.
        paths: of code, as `brain.search.code_paths.clean_paths` gives them.
        scopes: of the documents that may lead; None for all.
    """
    ranks = {number: rank for rank, (number, _) in enumerate(entries)}
    leading = _leading(index, ranks, _governing(index, paths, scopes)) if paths else []
    if not leading:
        return list(entries)
    places = {fused.id: fused.places for _, fused in entries}
    numbers = {fused.id: number for number, fused in entries}
    ids = [f"{int(index.collection.ids[number]):016x}" for number in leading]
    numbers |= dict(zip(ids, leading, strict=True))
    ranked = [fused.id for _, fused in entries]
    legs = [
        Leg("ranking", ranked, [fused.score for _, fused in entries]),
        Leg("paths", ids, [1.0] * len(ids), weight=_WEIGHT),
    ]
    return [
        (numbers[each.id], _explained(each, places.get(each.id, ()))) for each in fuse_ranks(legs)
    ]


def _explained(fused: Fused, places: tuple[Place, ...]) -> Fused:
    """Say what the legs said, instead of that there was a ranking."""
    by_paths = tuple(place for place in fused.places if place.leg == "paths")
    return msgspec.structs.replace(fused, places=(*by_paths, *places))


def _governing(
    index: SearchIndex, paths: Sequence[str], scopes: frozenset[str] | None
) -> list[int]:
    return [
        index.numbers[path]
        for path in sorted(index.numbers)
        if index.documents[index.numbers[path]].refs
        and (scopes is None or index.scopes[index.numbers[path]] in scopes)
        and covers(index.documents[index.numbers[path]].refs[:_MOST_REFS], paths)
    ]


def _leading(index: SearchIndex, ranks: Mapping[int, int], documents: Sequence[int]) -> list[int]:
    last = len(ranks)
    chosen: list[list[int]] = []
    for document in documents:
        first = int(index.joined.firsts[document])
        chunks = np.arange(first, first + index.documents[document].chunk_count)
        alive = chunks[index.collection.alive[chunks]].tolist()
        chosen.append(sorted(alive, key=lambda each: (ranks.get(each, last), each)))
    chosen.sort(key=lambda chunks: min((ranks.get(each, last) for each in chunks), default=last))
    return [chunk for chunks in chosen for chunk in chunks[:_MOST_OF_DOCUMENT]][:_MOST]
