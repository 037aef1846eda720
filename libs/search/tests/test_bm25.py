import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search.bm25 import Collection, chunk_numbers, idf, rank_keywords, score_keywords
from brain.search.chunk import Chunk
from brain.search.question import read_question
from brain.search.segment import build_segment, layered_postings


def chunk(text, title="", names="", code=""):
    return Chunk("", "", 0, 1, 1, 0, 0, 0, title, "", names, text, code)


class Library:
    """Chunks in segments, with some of them gone."""

    def __init__(self, chunks, gone=(), documents=None, split=None, ids=None):
        split = len(chunks) if split is None else split
        parts = [chunks[:split], chunks[split:]]
        segments = [build_segment(part) for part in parts]
        self.postings = {}
        for term in set().union(*(segment.blocks for segment in segments)):
            self.postings[term] = layered_postings(
                [
                    (first, segment.blocks[term])
                    for first, segment in zip((0, split), segments, strict=True)
                    if term in segment.blocks
                ]
            )
        size = len(chunks)
        alive = np.ones(size, np.bool_)
        alive[list(gone)] = False
        self.collection = Collection(
            ids=np.arange(size, dtype=np.uint64) if ids is None else chunk_numbers(ids),
            lengths=np.concatenate([segment.lengths for segment in segments]),
            documents=np.arange(size, dtype=np.int32)
            if documents is None
            else np.array(documents, np.int32),
            alive=alive,
        )

    def ask(self, text, limit=10, allowed=None):
        question = read_question(text)
        return rank_keywords(question, self.postings, self.collection, limit=limit, allowed=allowed)


FRUIT = [chunk(text) for text in ("apple pie", "pear pie and apple tart", "plum jam", "apple")]


def test_idf_is_lucenes():
    assert idf(10, 3) == 1.145132


def test_every_chunk_that_holds_a_word_is_scored_as_it_is_ranked():
    library = Library(FRUIT, gone=[2])

    ranking = library.ask("apple pie")
    hits = score_keywords(read_question("apple pie"), library.postings, library.collection)

    assert hits.numbers.tolist() == [0, 1, 3]
    assert hits.complete.tolist() == [True, True, False]
    assert sorted(hits.scores.tolist()) == sorted(ranking.scores.tolist())
    assert float(hits.scores.max()) / hits.ceiling == ranking.strength


def test_nothing_is_scored_where_no_word_is_held():
    library = Library(FRUIT)

    hits = score_keywords(read_question("zebra"), library.postings, library.collection)

    assert (len(hits.numbers), len(hits.scores), len(hits.complete)) == (0, 0, 0)


def test_chunks_with_every_word_lead():
    ranking = Library([chunk("pie " * 9), chunk("apple x y z w pie"), chunk("jam")]).ask(
        "apple pie"
    )

    assert ranking.numbers.tolist() == [1, 0]
    assert ranking.complete == 1


def test_the_filter_comes_before_the_cut():
    texts = [chunk(f"apple {number}") for number in range(200)]
    allowed = np.zeros(200, np.bool_)
    allowed[[50, 150]] = True

    assert Library(texts).ask("apple", limit=2, allowed=allowed).numbers.tolist() == [50, 150]


def test_equal_scores_go_by_chunk_id():
    ids = ["00000000000000ff", "0000000000000001", "00000000000000fe"]
    ranking = Library([chunk("apple")] * 3, ids=ids).ask("apple", limit=2)

    assert ranking.numbers.tolist() == [1, 2]


@pytest.mark.parametrize("question", ["", "the", "quince", "?"])
def test_nothing_found_is_an_empty_ranking(question):
    ranking = Library(FRUIT).ask(question)

    assert (len(ranking.numbers), ranking.complete, ranking.strength) == (0, 0, 0.0)


def test_an_empty_library_has_no_answer():
    assert len(Library([]).ask("apple").numbers) == 0


def test_a_title_counts_more_than_a_text():
    texts = [chunk("retry policy here", "Other"), chunk("nothing of it", "Retry policy")]

    assert Library(texts).ask("retry policy").numbers.tolist() == [1, 0]


@pytest.mark.parametrize(
    "question",
    ["RULE-INV01-0001", "rule-inv01-0001", "deployment/chargeCustomer", "chargeCustomer", "3.11.2"],
)
def test_a_name_finds_the_document_that_bears_it_first(question):
    mention = "See RULE-INV01-0001 and deployment/chargeCustomer, charge a customer, since 3.11.2. "
    bearer = chunk("Text.", f"{question} what it says")
    others = [chunk(mention * 2), chunk("rule 0001 inv01 charge customer 3 11 2", "Rules")]

    assert Library([*others, bearer]).ask(question).numbers[0] == 2


def test_a_path_finds_its_document_first():
    texts = [chunk("charge customer now", names="docs/other.md"), chunk("x", names="ops/charge.md")]

    assert Library(texts).ask("ops/charge.md").numbers[0] == 1


def test_what_a_document_says_elsewhere_helps_its_chunks():
    texts = [chunk("apple one"), chunk("apple two"), chunk("pear apple pear")]

    ranking = Library(texts, documents=[0, 1, 1]).ask("apple pear")

    assert ranking.numbers.tolist() == [2, 1, 0]


def test_coverage_is_the_share_of_the_question_that_the_best_chunk_holds():
    assert Library(FRUIT).ask("apple pie").coverage == 1.0
    assert 0 < Library(FRUIT).ask("apple quince").coverage < 0.5


WORDS = st.lists(
    st.sampled_from(["apple", "pear", "plum", "fig", "jam", "pie", "tart"]), max_size=8
)


@given(
    st.lists(WORDS, min_size=1, max_size=20),
    st.sampled_from(["apple pie", "fig", "plum jam quince"]),
    st.randoms(use_true_random=False),
)
def test_answers_do_not_depend_on_how_chunks_came_to_be(texts, question, random):
    chunks = [chunk(" ".join(words)) for words in texts]
    fates = [random.random() < 0.7 for _ in chunks]
    kept = [at for at, fate in enumerate(fates) if fate]
    ids = [f"{random.getrandbits(32):016x}" for _ in chunks]
    layered = Library(
        chunks,
        gone=[at for at, fate in enumerate(fates) if not fate],
        split=random.randrange(len(chunks) + 1),
        ids=ids,
    )
    whole = Library([chunks[at] for at in kept], ids=[ids[at] for at in kept])

    one, other = layered.ask(question), whole.ask(question)

    assert one.numbers.tolist() == [kept[at] for at in other.numbers]
    assert one.scores.tolist() == other.scores.tolist()
    assert (one.complete, one.coverage, one.strength) == (
        other.complete,
        other.coverage,
        other.strength,
    )


@given(st.lists(WORDS, min_size=1, max_size=30), st.integers(1, 30))
def test_a_short_ranking_is_the_head_of_a_long_one(texts, limit):
    library = Library([chunk(" ".join(words)) for words in texts])

    long = library.ask("apple pie jam", limit=100)
    short = library.ask("apple pie jam", limit=limit)

    assert short.numbers.tolist() == long.numbers[:limit].tolist()
