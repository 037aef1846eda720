from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from brain.search import posting_collector
from brain.search import vocabulary as vocabulary_module
from brain.search.analyzer import Analyzer, words_of
from brain.search.chunk import Chunk
from brain.search.fields import MAX_WEIGHT, fields_of
from brain.search.posting_collector import PostingCollector
from brain.search.vocabulary import Vocabulary

ANALYZER = Analyzer()


def chunk(**fields):
    texts = {"title": "", "headings": "", "names": "", "text": "", "code": "", **fields}
    return Chunk("", "", 0, 1, 1, 0, 0, 0, **texts)


def weighed(chunks, vocabulary=None):
    """Return the weights by term and the length of each chunk."""
    collector = PostingCollector(vocabulary or Vocabulary())
    for each in chunks:
        collector.add(each)
    return [each for part in collector.collected() for each in weighed_of(part)]


def weighed_of(collected):
    terms = [collected.terms[at] for at in np.frombuffer(collected.term_of, np.int32)]
    postings = zip(terms, collected.weights, strict=True)
    sizes = np.frombuffer(collected.sizes, np.int32).tolist()
    weights = [dict(next(postings) for _ in range(size)) for size in sizes]
    return list(zip(weights, np.frombuffer(collected.lengths, np.int32).tolist(), strict=True))


def counted(one):
    """Return what `weighed` does, term by term."""
    counts = Counter()
    for text, weight in fields_of(one):
        for word in words_of(text):
            counts.update(dict.fromkeys(ANALYZER.terms_of(word), weight))
    return {term: min(count, MAX_WEIGHT) for term, count in counts.items()}, counts.total()


def test_a_title_counts_more_than_names_these_more_than_text_and_code_least():
    (found,) = weighed([chunk(title="one", headings="two", names="ten", text="six", code="red")])

    assert found == ({"one": 32, "two": 4, "ten": 8, "six": 4, "red": 3}, 51)


def test_the_fields_of_a_term_add_up():
    assert weighed([chunk(title="one", text="one one")]) == [({"one": 40}, 40)]


def test_a_word_counts_for_its_stem_too():
    assert weighed([chunk(text="run runs run")]) == [({"run": 12, "runs": 4}, 16)]


def test_a_weight_fits_a_byte_and_the_length_is_of_all():
    assert weighed([chunk(text="one " * 1000)]) == [({"one": MAX_WEIGHT}, 4000)]


def test_no_chunks_and_chunks_without_words_have_no_postings():
    assert weighed([]) == []
    assert weighed([chunk(), chunk(text="--- !", code="...")]) == [({}, 0), ({}, 0)]


def test_a_name_is_one_between_marks_and_two_where_two_marks_meet():
    (found,) = weighed([chunk(text='("charge-customer", a--b).')])

    assert found == (
        {"chargecustomer": 4, "charge": 4, "charg": 4, "customer": 4, "custom": 4, "a": 4, "b": 4},
        28,
    )


WORDS = st.text("aB1é_-./:' \n漢ªя", max_size=30)
CHUNKS = st.lists(
    st.builds(chunk, title=WORDS, headings=WORDS, names=WORDS, text=WORDS | st.text(), code=WORDS),
    max_size=6,
)


@given(CHUNKS)
def test_postings_are_those_counted_word_by_word(chunks):
    assert weighed(chunks) == [counted(each) for each in chunks]


def test_what_the_vocabulary_knew_and_how_much_is_held_changes_nothing(monkeypatch):
    vocabulary = Vocabulary()
    weighed([chunk(text="of other things")], vocabulary)
    chunks = [chunk(title=f"number {at}", text="some words " * at) for at in range(20)]
    monkeypatch.setattr(posting_collector, "_PIECES_AT_ONCE", 7)

    assert weighed(chunks, vocabulary) == [counted(each) for each in chunks]


def test_a_vocabulary_that_is_full_is_forgotten_between_chunks(monkeypatch):
    monkeypatch.setattr(posting_collector, "_PIECES_AT_ONCE", 7)
    monkeypatch.setattr(vocabulary_module, "MAX_PIECES", 20)
    vocabulary = Vocabulary()
    chunks = [chunk(text=f"word{at} other{at} and more{at} of it") for at in range(40)]

    assert weighed(chunks, vocabulary) == [counted(each) for each in chunks]
    assert len(vocabulary.terms()) < 40


def test_long_words_are_not_held():
    vocabulary = Vocabulary()

    weighed([chunk(text=f"{letter * 5_000} x/{letter * 5_000}") for letter in "abc"], vocabulary)

    assert max(map(len, (*vocabulary._forms, *vocabulary._pieces))) <= 160
