"""Beneath: chunks that match words, by the child of a node that they stand beneath."""

from collections.abc import Container, Iterator, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brain.query.search_index import SearchIndex
from brain.search.bm25 import Hits, Mask
from brain.tree.node import Node

#: Share of its score that a passage of a document keeps which no longer holds.
_OUT_OF_FORCE = 0.5
#: Places told of one child at most.
MOST_PLACES = 3


class Spot(msgspec.Struct, frozen=True):
    """A chunk, by its document and its place among the document's chunks, from 0."""

    path: str
    place: int


class Matches(msgspec.Struct, frozen=True):
    """Chunks that match, by ascending number, with what each is worth; above 0."""

    numbers: npt.NDArray[np.int64]
    worths: npt.NDArray[np.float64]


def matches_of(index: SearchIndex, hits: Hits, out_of_force: Mask) -> Matches:
    """Weigh hits as search ranks them: those with every word lead, what no longer holds is behind.

    Args:
        index: that the hits number into.
        hits: all of them.
        out_of_force: by number of a document, whether it no longer holds.
    """
    most = float(hits.scores.max(initial=0.0))
    is_behind = out_of_force[index.collection.documents[hits.numbers]]
    lead = np.where(hits.complete & ~is_behind, most, 0.0)
    return Matches(hits.numbers, hits.scores * np.where(is_behind, _OUT_OF_FORCE, 1.0) + lead)


def beneath_folder(
    index: SearchIndex, matches: Matches, folder: str, children: Container[str]
) -> dict[str, list[Spot]]:
    """Return the children of a folder under which something matches, best first.

    A child is worth what its best chunk is. Equal ones go by chunk id, so the order does not
    depend on how chunks are numbered.

    Args:
        index: of the commit.
        matches: of the whole commit.
        folder: its path, ``""`` for the root.
        children: node ids of its folders and documents.

    Returns:
        By node id of the child the best chunks beneath it, each of another document, at most
        `MOST_PLACES`, best first.
    """
    prefix = f"{folder}/" if folder else ""
    found: dict[str, list[Spot]] = {}
    for path, place in _best_of_documents(index, matches):
        if not path.startswith(prefix):
            continue
        name, slash, _ = path[len(prefix) :].partition("/")
        child = f"{prefix}{name}{slash}"
        if child in children:
            held = found.setdefault(child, [])
            if len(held) < MOST_PLACES:
                held.append(Spot(path, place))
    return found


def _best_of_documents(index: SearchIndex, matches: Matches) -> Iterator[tuple[str, int]]:
    """Yield the path of each document that matches and the place of its best chunk, best first."""
    if not len(matches.numbers):
        return
    documents = index.collection.documents[matches.numbers]
    starts = np.flatnonzero(np.diff(documents, prepend=-1))
    best = np.maximum.reduceat(matches.worths, starts)
    groups = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(documents)))
    at = np.flatnonzero(matches.worths == best[groups])
    # of equals in a document the one that stands first
    firsts = at[np.flatnonzero(np.diff(groups[at], prepend=-1))]
    chunks = matches.numbers[firsts]
    order = np.lexsort((index.collection.ids[chunks], -best))
    numbers = documents[starts][order]
    places = chunks[order] - index.joined.firsts[numbers]
    for number, place in zip(numbers.tolist(), places.tolist(), strict=True):
        yield index.documents[number].path, place


def within_document(index: SearchIndex, matches: Matches, path: str) -> list[int]:
    """Return the places of the chunks of a document that match, best first."""
    number = index.numbers.get(path)
    if number is None:
        return []
    first = int(index.joined.firsts[number])
    count = index.documents[number].chunk_count
    low, high = np.searchsorted(matches.numbers, [first, first + count])
    order = np.argsort(-matches.worths[low:high], kind="stable")
    found: list[int] = (matches.numbers[low:high][order] - first).tolist()
    return found


def child_above(nodes: Sequence[Node], number: int, node: int) -> int | None:
    """Return the direct child of *number* that is *node* or holds it; None when neither is so."""
    while node >= 0 and nodes[node].parent != number:
        node = nodes[node].parent
    return node if node >= 0 else None
