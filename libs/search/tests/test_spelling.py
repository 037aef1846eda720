import pytest

from brain.search.question import Form, read_question
from brain.search.spelling import correct_question, misspelled_words, spellings


@pytest.mark.parametrize("typo", ["qunice", "quine", "quincee", "quinze", "uince"])
def test_one_slip_is_found(typo):
    (word,) = read_question(typo).words

    assert "quince" in spellings(word)


@pytest.mark.parametrize(("asked", "known"), [("Biden", False), ("Widne", True), ("biden", True)])
def test_a_capital_keeps_the_first_letter(asked, known):
    (word,) = read_question(asked).words

    assert ("widen" in spellings(word)) == known


def test_only_a_word_that_nothing_holds_is_corrected():
    question = read_question("qunice policy")

    corrected = correct_question(question, {"policy": 3, "polici": 3, "quince": 8, "unice": 2})

    assert corrected.words[0].forms == (Form("quince", 0.7), Form("unice", 0.175))
    assert corrected.words[1] == question.words[1]


@pytest.mark.parametrize("text", ["ADR-0091", "3.11.2", "0091", "日本語の", "abc"])
def test_ids_numbers_and_short_words_are_taken_at_their_word(text):
    assert misspelled_words(read_question(text), {}) == []


def test_a_word_without_a_neighbour_stays():
    question = read_question("quince")

    assert correct_question(question, {"apple": 1}) == question
