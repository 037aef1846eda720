import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search.analyzer import Analyzer, words_of
from brain.search.question import MAX_FORMS, MAX_WORDS, Form, Word, read_question


def test_stop_words_are_left_out():
    assert [word.text for word in read_question("How do I rotate the keys?").words] == [
        "rotate",
        "keys",
    ]


def test_stop_words_count_when_nothing_else_is_asked():
    assert [word.text for word in read_question("who are we").words] == ["who", "are", "we"]


def test_a_word_is_asked_as_written_and_by_its_stem():
    assert read_question("keys").words == (Word("keys", (Form("keys", 0.7), Form("key", 0.3))),)


def test_a_word_counts_once():
    assert len(read_question("Key key KEY").words) == 1


def test_a_name_is_asked_whole_and_by_its_parts():
    assert read_question("ADR-0091").terms() == ("0091", "adr", "adr0091")


def test_unspaced_scripts_are_asked_in_runs():
    assert [word.text for word in read_question("使用Python编程").words] == [
        "使用",
        "Python",
        "编程",
    ]


@pytest.mark.parametrize("text", ["", "  ", "?!", "\0", "\ud800"])
def test_nothing_asks_for_nothing(text):
    assert read_question(text).words == ()


def test_a_pasted_page_is_bounded():
    question = read_question(" ".join(f"w{number}/a.b.c.d.e.f.g.h.i.j" for number in range(900)))

    assert len(question.words) == MAX_WORDS
    assert max(len(word.forms) for word in question.words) <= MAX_FORMS


@given(st.text(max_size=60))
def test_what_is_written_answers_the_question_for_it(text):
    analyzer = Analyzer()
    held = {term for word in words_of(text) for term in analyzer.terms_of(word)}

    for word in read_question(text).words:
        assert any(form.term in held for form in word.forms)
