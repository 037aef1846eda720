"""The analyzer: text to terms, one for documents and questions alike."""

import re

import Stemmer

from brain.search.folding import fold_case, fold_spelling
from brain.search.names import MAX_TERM_CHARS, is_plain_word, split_name
from brain.search.scripts import bigrams, ideographs, is_unspaced, part_scripts

#: Words whose terms are remembered; about 30 MB.
MAX_REMEMBERED = 1 << 17
#: A word of more characters is not remembered.
MAX_REMEMBERED_CHARS = 160
#: Words that are stemmed; longer ones are no English.
_MAX_STEMMED_CHARS = 32
_LEAST_STEMMED_CHARS = 3

_MARKS = (  # letters of their words in scripts whose marks `fold_spelling` leaves
    "\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711\u0730-\u074a"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff\u0e00-\u0fff\u1000-\u109f"
    "\u1780-\u17ff\u3099\u309a"
)
# Possessive: nothing that was matched is ever tried again
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]++(?:[-./:'][A-Za-z0-9_]++)*+")
_WORD = re.compile(rf"[\w{_MARKS}]++(?:[-./:'][\w{_MARKS}]++)*+")


def words_of(text: str) -> list[str]:
    """Return the words and names of *text* in order, folded but for case.

    A run of unspaced scripts, and what touches it, is one word here.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text)
    return _WORD.findall(fold_spelling(text))


class Analyzer:
    """Terms of words, remembered; for one thread.

    A word gives its folded form and, where it differs, its English stem. A name
    (`brain.search.names`) gives every name it holds and its words. A run of an unspaced script
    gives its bigrams, in Han script its characters as well. Nothing is left out: stop words are
    for questions (`brain.search.question`).
    """

    def __init__(self) -> None:
        self._stem = Stemmer.Stemmer("english", 0).stemWord
        self._remembered: dict[str, tuple[str, ...]] = {}

    def terms_of(self, word: str) -> tuple[str, ...]:
        """Return the terms of one word of `words_of`, each once, the form as written first."""
        terms = self._remembered.get(word)
        if terms is None:
            named, words = self.split_word(word)
            forms = (form for each in words for form in self.forms_of(each))
            terms = tuple(dict.fromkeys([*named, *forms]))
            self._remember(word, terms)
        return terms

    def split_word(self, word: str) -> tuple[list[str], list[str]]:
        """Return the terms of a word of `words_of`, and the words that give `forms_of` besides."""
        if word.isascii():
            return _split_spaced(word)
        terms: list[str] = []
        words: list[str] = []
        for part in _WORD.findall(part_scripts(word)):
            if is_unspaced(part):
                terms += [*bigrams(part), *ideographs(part)]
            else:
                names, parts = _split_spaced(part)
                terms += names
                words += parts
        return terms, words

    def forms_of(self, word: str) -> tuple[str, str]:
        """Return a word as it is indexed, folded and cut to a term's length, and its stem."""
        cut = fold_case(word)[:MAX_TERM_CHARS]
        return cut, self.stem(cut)

    def stem(self, word: str) -> str:
        """Return the English stem of a folded word; of any other word, the word."""
        if _LEAST_STEMMED_CHARS <= len(word) <= _MAX_STEMMED_CHARS and word.isascii():
            return self._stem(word) if word.isalpha() else word
        return word

    def _remember(self, word: str, terms: tuple[str, ...]) -> None:
        if len(word) > MAX_REMEMBERED_CHARS:
            return
        if len(self._remembered) >= MAX_REMEMBERED:
            self._remembered.clear()
        self._remembered[word] = terms


def _split_spaced(word: str) -> tuple[list[str], list[str]]:
    return ([], [word]) if is_plain_word(word) else split_name(word.strip("_"))
