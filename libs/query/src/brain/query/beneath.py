"""Beneath: chunks that match words, by the child of a node that they stand beneath."""

from bisect import bisect_left
from collections.abc import Sequence

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


Numbers = npt.NDArray[np.int32]


class Spot(msgspec.Struct, frozen=True):
    """A chunk, by its document and its place among the document's chunks, from 0."""

    path: str
    place: int
    #: See `Matches`.
    worth: float


class Matches(msgspec.Struct, frozen=True):
    """Chunks that match, by ascending number, with what each is worth.

    Above 0; 1 is what a chunk would have that holds every word at its most, so worths of the same
    words can be compared wherever they stand.
    """

    numbers: npt.NDArray[np.int64]
    worths: npt.NDArray[np.float64]


def matches_of(index: SearchIndex, hits: Hits, out_of_force: Mask) -> Matches:
    """Weigh hits by their score; what no longer holds keeps half of it.

    Chunks that hold every word do not lead as they do in a search: a title that holds most of
    them tells more of where to go. Measured, docs/decisions/0021-words-for-the-tree.md.

    Args:
        index: that the hits number into.
        hits: all of them.
        out_of_force: by number of a document, whether it no longer holds.
    """
    is_behind = out_of_force[index.collection.documents[hits.numbers]]
    shares = np.where(is_behind, _OUT_OF_FORCE, 1.0) / (hits.ceiling or 1.0)
    return Matches(hits.numbers, hits.scores * shares)


class Ranking(msgspec.Struct, frozen=True):
    """Documents that match beneath a folder, best first, by the folder's child that holds each."""

    index: SearchIndex
    #: Node ids of the children that match, best first, each with its number in *holders*.
    children: dict[str, int]
    #: Parallel arrays, best first: number of the child, of the document, of its best chunk.
    holders: Numbers
    documents: Numbers
    chunks: npt.NDArray[np.int64]
    #: Of the chunks.
    worths: npt.NDArray[np.float64]

    def spots_of(self, child: str) -> list[Spot]:
        """Return the best chunks beneath a child, each of another document, at most three."""
        found = np.flatnonzero(self.holders == self.children[child])[:MOST_PLACES]
        places = self.chunks[found] - self.index.joined.firsts[self.documents[found]]
        spots = zip(
            self.documents[found].tolist(),
            places.tolist(),
            self.worths[found].tolist(),
            strict=True,
        )
        return [
            Spot(self.index.documents[number].path, place, worth) for number, place, worth in spots
        ]


def path_order(index: SearchIndex) -> Numbers:
    """Return the numbers of the documents that exist, in the order of their paths."""
    return np.array([index.numbers[path] for path in sorted(index.numbers)], np.int32)


def beneath_folder(
    index: SearchIndex, ordered: Numbers, matches: Matches, children: Sequence[str]
) -> Ranking:
    """Rank the children of a folder by what matches in them or beneath them.

    A child is worth what its best chunk is. Equal ones go by chunk id, so the order does not
    depend on how chunks are numbered.

    Args:
        index: of the commit.
        ordered: `path_order` of it.
        matches: of the whole commit.
        children: node ids of the folder's folders and documents.
    """
    holder = _holders(index, ordered, children)
    numbers = index.collection.documents[matches.numbers]
    is_beneath = holder[numbers] >= 0
    documents, chunks, best = _best_of_documents(
        numbers[is_beneath], matches.numbers[is_beneath], matches.worths[is_beneath]
    )
    order = np.lexsort((index.collection.ids[chunks], -best))
    holders = holder[documents[order]]
    matching, firsts = np.unique(holders, return_index=True)
    ranked = matching[np.argsort(firsts)].tolist()
    return Ranking(
        index,
        {children[number]: number for number in ranked},
        holders,
        documents[order],
        chunks[order],
        best[order],
    )


def _holders(index: SearchIndex, ordered: Numbers, children: Sequence[str]) -> Numbers:
    """Return by number of each document which child is or holds it; -1 for none."""

    def path_at(number: np.int32) -> str:
        return index.documents[int(number)].path

    holder = np.full(len(index.documents), -1, np.int32)
    for number, child in enumerate(children):
        if child.endswith("/"):
            first = bisect_left(ordered, child, key=path_at)
            # the sign behind a slash ends what begins with the folder's path
            last = bisect_left(ordered, f"{child[:-1]}0", first, key=path_at)
            holder[ordered[first:last]] = number
        elif (document := index.numbers.get(child)) is not None:
            holder[document] = number
    return holder


def _best_of_documents(
    documents: Numbers, chunks: npt.NDArray[np.int64], worths: npt.NDArray[np.float64]
) -> tuple[Numbers, npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return each document with its best chunk and that one's worth; of equals the first."""
    starts = np.flatnonzero(np.diff(documents, prepend=-1))
    if not len(starts):
        return documents, chunks, worths
    best = np.maximum.reduceat(worths, starts)
    groups = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(documents)))
    at = np.flatnonzero(worths == best[groups])
    firsts = at[np.flatnonzero(np.diff(groups[at], prepend=-1))]
    return documents[starts], chunks[firsts], best


def within_document(index: SearchIndex, matches: Matches, path: str) -> list[Spot]:
    """Return the chunks of a document that match, best first, as they stand among equals."""
    number = index.numbers.get(path)
    if number is None:
        return []
    first = int(index.joined.firsts[number])
    count = index.documents[number].chunk_count
    low, high = np.searchsorted(matches.numbers, [first, first + count])
    worths = matches.worths[low:high]
    order = np.argsort(-worths, kind="stable")
    places = matches.numbers[low:high][order] - first
    return [
        Spot(path, place, worth)
        for place, worth in zip(places.tolist(), worths[order].tolist(), strict=True)
    ]


def child_above(nodes: Sequence[Node], number: int, node: int) -> int | None:
    """Return the direct child of *number* that is *node* or holds it; None when neither is so."""
    while node >= 0 and nodes[node].parent != number:
        node = nodes[node].parent
    return node if node >= 0 else None
