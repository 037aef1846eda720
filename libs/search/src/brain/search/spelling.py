"""Spelling: what a word of a question that no chunk holds may have been meant to be."""

from collections.abc import Iterator, Mapping

import msgspec

from brain.search.question import Form, Question, Word

#: Letters of a word that is corrected: shorter ones have too many neighbours, longer are no words.
LEAST_CHARS = 4
MAX_CHARS = 24
#: Words of one question that are corrected, and spellings of one word that are asked instead.
MAX_WORDS = 4
MAX_SPELLINGS = 3
#: What a corrected word counts for against one that was found as written.
_WEIGHT = 0.7
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspelled_words(question: Question, frequencies: Mapping[str, int]) -> list[Word]:
    """Return the words none of whose terms is in *frequencies*, at most `MAX_WORDS`.

    Only words of `LEAST_CHARS` to `MAX_CHARS` ASCII letters: a number or an id that is not there
    must not find another.
    """
    unknown = [
        word
        for word in question.words
        if not any(form.term in frequencies for form in word.forms)
        and LEAST_CHARS <= len(word.forms[0].term) <= MAX_CHARS
        and word.forms[0].term.isalpha()
        and word.forms[0].term.isascii()
    ]
    return unknown[:MAX_WORDS]


def spellings(word: Word) -> set[str]:
    """Return every term that is one slip away: a letter too many, too few, wrong, or two swapped.

    About 54 for each letter. A word with a capital keeps its first letter: it is often a name, and
    no common word that differs there was meant. Measured, docs/retrieval.md.
    """
    term = word.forms[0].term
    found = set(_slips(term)) - {term}
    if not word.text[:1].isupper():
        return found
    return {each for each in found if each[:1] == term[:1]}


def correct_question(question: Question, frequencies: Mapping[str, int]) -> Question:
    """Ask, for words that no chunk holds, the spellings that most chunks hold.

    Equal frequencies go by the term.

    Args:
        question: as it was asked.
        frequencies: how many chunks hold a term, of the question's terms and of the `spellings` of
            its `misspelled_words`; terms that no chunk holds are left out.
    """
    corrected = {
        word: _corrected(word, frequencies) for word in misspelled_words(question, frequencies)
    }
    return Question(tuple(corrected.get(word, word) for word in question.words))


def _corrected(word: Word, frequencies: Mapping[str, int]) -> Word:
    known = sorted(
        spellings(word) & frequencies.keys(), key=lambda each: (-frequencies[each], each)
    )
    if not known:
        return word
    most = frequencies[known[0]]
    forms = [Form(each, _WEIGHT * frequencies[each] / most) for each in known[:MAX_SPELLINGS]]
    return msgspec.structs.replace(word, forms=tuple(forms))


def _slips(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        for letter in _LETTERS:
            yield f"{head}{letter}{tail}"
            if tail:
                yield f"{head}{letter}{tail[1:]}"
        if tail:
            yield f"{head}{tail[1:]}"
        if len(tail) > 1:
            yield f"{head}{tail[1]}{tail[0]}{tail[2:]}"
