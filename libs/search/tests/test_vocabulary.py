import numpy as np

from brain.search import vocabulary as module
from brain.search.vocabulary import Vocabulary


def terms(vocabulary, text):
    pieces = np.array(vocabulary.read(text), np.int32)
    numbers, counts = vocabulary.terms_of_pieces().of(pieces)
    names = vocabulary.terms()
    return [names[each] for each in numbers], counts.tolist()


def test_a_piece_is_numbered_once_whatever_joins_hang_on_it():
    vocabulary = Vocabulary()

    assert vocabulary.read("word, word. 'word' -word:") == [0, 0, 0, 0]
    assert vocabulary.terms() == ["word"]


def test_terms_follow_their_pieces():
    assert terms(Vocabulary(), "users of a--b ...") == (
        ["users", "user", "of", "a", "b"],
        [2, 1, 2, 0],
    )


def test_text_beyond_ascii_is_read_by_words():
    assert terms(Vocabulary(), "Zürich (漢字)") == (["zurich", "漢字", "漢", "字"], [1, 3])


def test_too_much_is_forgotten_between_texts(monkeypatch):
    monkeypatch.setattr(module, "MAX_PIECES", 3)
    vocabulary = Vocabulary()
    vocabulary.read("one two")
    assert not vocabulary.is_full()
    assert vocabulary.read("three") == [2]

    assert vocabulary.is_full()
    vocabulary.forget()

    assert vocabulary.terms() == []
    assert terms(vocabulary, "three four") == (["three", "four"], [1, 1])


def test_a_long_piece_is_not_remembered():
    vocabulary = Vocabulary()

    assert vocabulary.read("a" * 161) == [0]
    assert vocabulary.read("a" * 161) == [1]
    assert vocabulary.terms() == ["a" * 64]
