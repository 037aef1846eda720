import numpy as np

from brain.query.governing import led_by_paths
from brain.query.search_index import SearchIndex, make_index
from brain.search.bm25 import Collection
from brain.search.fusion import Fused, Place
from brain.search.live import Joined
from brain.search.stored_segment import SearchDocument


def index_of(*documents: tuple[str, int, tuple[str, ...]]) -> SearchIndex:
    """Make an index of (path, number of chunks, refs); chunk ids are chunk numbers."""
    counts = [count for _, count, _ in documents]
    total = sum(counts)
    ends = np.cumsum(counts, dtype=np.int32)
    collection = Collection(
        ids=np.arange(total, dtype=np.uint64),
        lengths=np.ones(total, np.int32),
        documents=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        alive=np.ones(total, np.bool_),
    )
    found = tuple(SearchDocument(path, "", count, refs=refs) for path, count, refs in documents)
    joined = Joined(collection, found, ends - np.array(counts, np.int32), (0,))
    paths = [path for path, _, _ in documents]
    return make_index((1,), (1,), joined, {path: number for number, path in enumerate(paths)})


def ranked(*numbers: int) -> list[tuple[int, Fused]]:
    return [
        (each, Fused(f"{each:016x}", 1 / rank, (Place("keyword", rank, 1.0),)))
        for rank, each in enumerate(numbers, 1)
    ]


def numbers(entries: list[tuple[int, Fused]]) -> list[int]:
    return [number for number, _ in entries]


def test_nothing_changes_without_paths_or_without_a_claim():
    index = index_of(("domain/a.md", 3, ("src/**",)), ("domain/b.md", 2, ()))

    assert led_by_paths(index, ranked(3, 0), (), None) == ranked(3, 0)
    assert led_by_paths(index, ranked(3, 0), ("lib/x.py",), None) == ranked(3, 0)


def test_sections_that_were_ranked_lead_then_the_others_as_they_stand():
    index = index_of(("domain/a.md", 5, ("src/**",)), ("domain/b.md", 2, ()))

    led = led_by_paths(index, ranked(5, 3), ("src/x.py",), None)

    assert numbers(led) == [3, 0, 1, 5]
    assert [place.leg for place in led[0][1].places] == ["paths", "keyword"]


def test_six_sections_lead_at_most_and_three_of_a_document():
    index = index_of(*[(f"domain/{name}.md", 4, ("src",)) for name in "abcd"])

    assert numbers(led_by_paths(index, ranked(13), ("src/x.py",), None)) == [13, 12, 14, 0, 1, 2]


def test_documents_outside_the_scopes_do_not_lead():
    index = index_of(("domain/a.md", 1, ("src",)), ("projects/x/b.md", 1, ("src",)))

    assert numbers(led_by_paths(index, [], ("src",), frozenset({"projects/x"}))) == [1]
