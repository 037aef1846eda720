"""Which children of a node match, by what stands beneath them."""

import numpy as np
import pytest

from brain.query.beneath import (
    Matches,
    Spot,
    beneath_folder,
    child_above,
    matches_of,
    path_order,
    within_document,
)
from brain.query.search_index import SearchIndex, make_index
from brain.search.bm25 import Collection, Hits
from brain.search.live import Joined
from brain.search.stored_segment import SearchDocument
from brain.tree.node import Node


def index_of(*documents: tuple[str, int], gone: frozenset[str] = frozenset()) -> SearchIndex:
    """Make an index of (path, number of chunks); chunk ids are chunk numbers."""
    counts = np.array([count for _, count in documents], np.int32)
    total = int(counts.sum())
    collection = Collection(
        ids=np.arange(total, dtype=np.uint64),
        lengths=np.ones(total, np.int32),
        documents=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        alive=np.ones(total, np.bool_),
    )
    found = tuple(SearchDocument(path, "", count) for path, count in documents)
    joined = Joined(collection, found, np.cumsum(counts, dtype=np.int32) - counts, (0,))
    paths = [path for path, _ in documents]
    numbers = {path: number for number, path in enumerate(paths) if path not in gone}
    return make_index((1,), (1,), joined, numbers)


def matching(**worths: float) -> Matches:
    """Make matches of chunk numbers, ``c3=0.5``."""
    numbers = sorted((int(name[1:]), worth) for name, worth in worths.items())
    return Matches(
        np.array([number for number, _ in numbers], np.int64),
        np.array([worth for _, worth in numbers]),
    )


INDEX = index_of(("z.md", 1), ("a/b/one.md", 2), ("a/two.md", 2), ("a.md", 1), ("a-b/x.md", 1))


def ranked(matches: Matches, children: list[str]):
    ranking = beneath_folder(INDEX, path_order(INDEX), matches, children)
    return {child: ranking.spots_of(child) for child in ranking.children}


def test_a_child_is_worth_its_best_chunk_and_names_a_place_in_each_document():
    found = ranked(matching(c0=0.1, c1=0.2, c2=0.7, c3=0.3, c4=0.4), ["a/", "a-b/", "a.md", "z.md"])

    assert found == {
        "a/": [Spot("a/b/one.md", 1, 0.7), Spot("a/two.md", 1, 0.4)],
        "z.md": [Spot("z.md", 0, 0.1)],
    }
    assert list(found) == ["a/", "z.md"]


def test_only_what_is_beneath_the_folder_counts():
    found = ranked(matching(c0=0.9, c1=0.1, c3=0.2, c6=0.9), ["a/b/", "a/two.md"])

    assert list(found) == ["a/two.md", "a/b/"]


def test_a_folder_is_not_mistaken_for_one_whose_name_begins_alike():
    assert list(ranked(matching(c6=0.5), ["a/", "a-b/", "a.md"])) == ["a-b/"]
    assert list(ranked(matching(c5=0.5), ["a/", "a-b/", "a.md"])) == ["a.md"]


def test_nothing_matches_nothing():
    assert ranked(matching(), ["a/", "a.md"]) == {}
    assert ranked(matching(c0=1.0), []) == {}


def test_equal_worths_go_by_chunk_id_and_in_a_document_by_place():
    found = ranked(matching(c0=0.5, c3=0.5, c4=0.5), ["z.md", "a/"])

    assert found == {"z.md": [Spot("z.md", 0, 0.5)], "a/": [Spot("a/two.md", 0, 0.5)]}


def test_three_places_of_a_child_are_kept():
    index = index_of(*((f"a/{number}.md", 1) for number in range(5)))

    ranking = beneath_folder(
        index, path_order(index), matching(c0=0.1, c1=0.5, c2=0.3, c3=0.2, c4=0.4), ["a/"]
    )

    assert [spot.path for spot in ranking.spots_of("a/")] == ["a/1.md", "a/4.md", "a/2.md"]


def test_documents_that_are_gone_have_no_place_in_the_order():
    index = index_of(("b.md", 1), ("a.md", 1), ("c.md", 1), gone=frozenset({"a.md"}))

    assert path_order(index).tolist() == [0, 2]


def test_the_chunks_of_a_document_stand_best_first():
    matches = matching(c0=0.9, c1=0.2, c2=0.2, c3=0.8)

    assert within_document(INDEX, matches, "a/b/one.md") == [
        Spot("a/b/one.md", 0, 0.2),
        Spot("a/b/one.md", 1, 0.2),
    ]
    assert within_document(INDEX, matches, "a-b/x.md") == []
    assert within_document(INDEX, matches, "absent.md") == []


def test_what_no_longer_holds_keeps_half_of_its_score():
    hits = Hits(np.array([0, 1]), np.array([4.0, 4.0]), np.ones(2, np.bool_), 8.0)
    out_of_force = np.array([False, True, False, False, False])

    assert matches_of(INDEX, hits, out_of_force).worths.tolist() == [0.5, 0.25]


def test_words_that_weigh_nothing_divide_by_nothing():
    hits = Hits(np.empty(0, np.int64), np.empty(0), np.empty(0, np.bool_), 0.0)

    assert len(matches_of(INDEX, hits, np.zeros(5, np.bool_)).worths) == 0


@pytest.mark.parametrize(
    ("opened", "node", "child"),
    [(0, 3, 1), (0, 1, 1), (0, 4, 4), (1, 3, 2), (2, 3, 3), (1, 4, None), (0, 0, None)],
)
def test_the_child_above_a_node(opened, node, child):
    nodes = [
        Node("section", str(number), "", 1, parent, "", "", "", 1, 1, 1, 1, 0)
        for number, parent in enumerate((-1, 0, 1, 2, 0))
    ]

    assert child_above(nodes, opened, node) == child
