import pytest

from brain.gitmirror.snapshot import open_snapshot
from brain.query.folded_texts import FoldedTexts, fold
from brain.testkit.repository import TestRepository

WORDS = ("Prices", "Dates", "Rules")


@pytest.fixture
def snapshot(tmp_path):
    repository = TestRepository(tmp_path / "1.git")
    commit = repository.commit({f"{n}.md": f"# {WORDS[n % 3]} {n}\n" for n in range(300)})
    return open_snapshot(tmp_path, 1, commit)


def blobs(snapshot):
    return [entry.oid for entry in snapshot.markdown_entries()]


def filled(texts, snapshot):
    held = texts.of_commit(1, snapshot.commit, blobs(snapshot))
    for blob in blobs(snapshot):
        texts.fill(1, held, snapshot, blob)
    return held


def test_an_index_is_wanted_for_many_texts_and_only_until_it_is_made(snapshot):
    texts = FoldedTexts()
    assert not texts.wants_index(1)
    filled(texts, snapshot)
    assert texts.wants_index(1)
    assert texts.without(1, [b"prices"]) == frozenset()

    texts.index(1)

    assert len(texts.without(1, [b"prices"])) == 200
    assert not texts.wants_index(1)


def test_few_texts_want_no_index(snapshot):
    texts = FoldedTexts()
    held = texts.of_commit(1, snapshot.commit, blobs(snapshot))
    for blob in blobs(snapshot)[:200]:
        texts.fill(1, held, snapshot, blob)

    assert not texts.wants_index(1)


def test_the_budget_counts_texts_and_index(snapshot):
    texts = FoldedTexts()
    filled(texts, snapshot)
    before = texts.size_bytes
    texts.index(1)
    indexed = texts.size_bytes

    texts.of_commit(2, "b" * 40, [])
    small = FoldedTexts(max_bytes=before)
    filled(small, snapshot)
    small.index(1)

    assert before < indexed < before + 100_000
    assert small.size_bytes <= before
    assert small.without(1, [b"prices"]) == frozenset()


def test_a_text_that_was_not_indexed_is_never_ruled_out(snapshot, tmp_path):
    texts = FoldedTexts()
    filled(texts, snapshot)
    texts.index(1)
    repository = TestRepository(tmp_path / "2.git")
    newer = open_snapshot(tmp_path, 2, repository.commit({"new.md": "# Prices\n"}))
    new = blobs(newer)[0]

    held = texts.of_commit(1, newer.commit, [new])
    texts.fill(1, held, newer, new)

    assert held == {new: b"# prices\n"}
    assert new not in texts.without(1, [b"absent"])


def test_folding_keeps_lines():
    assert fold("STRASSE\nStraße\nİ\n".encode()).count(b"\n") == 3


def test_what_comes_later_is_indexed_beside_the_rest_and_some_day_with_it(snapshot):
    texts = FoldedTexts()
    held = texts.of_commit(1, snapshot.commit, blobs(snapshot))

    for number, blob in enumerate(blobs(snapshot)[:20]):
        texts.fill(1, held, snapshot, blob)
        texts.index(1)
        rest = {blob for blob in held if b"prices" not in held[blob]}
        assert texts.without(1, [b"prices"]) == rest, number
