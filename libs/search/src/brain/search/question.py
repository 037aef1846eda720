"""A question as the index is asked it: words, each with the terms that would answer it."""

import msgspec

from brain.search.analyzer import Analyzer, words_of
from brain.search.folding import fold_case, fold_spelling
from brain.search.names import is_plain_word, split_name
from brain.search.scripts import is_unspaced, part_scripts
from brain.search.stop_words import STOP_WORDS

#: Words of a question that count; the later ones of a pasted page are left out.
MAX_WORDS = 64
#: Characters of a question that are read.
MAX_CHARS = 10_000
#: Terms of one word; a long path has many parts.
MAX_FORMS = 24

#: What a word counts for as written and by its stem. Measured, docs/retrieval.md.
_EXACT_WEIGHT = 0.7
_STEM_WEIGHT = 0.3
_NAME_WEIGHT = 0.9
_PART_WEIGHT = 0.9


class Form(msgspec.Struct, frozen=True, array_like=True):
    """A term that answers a word, and what it counts for."""

    term: str
    weight: float


class Word(msgspec.Struct, frozen=True, array_like=True):
    """A word or name of a question; any of its forms answers it."""

    #: As it was asked, folded but for case.
    text: str
    forms: tuple[Form, ...]


class Question(msgspec.Struct, frozen=True):
    """What is asked: no word twice, in the order of the question."""

    words: tuple[Word, ...]

    def terms(self) -> tuple[str, ...]:
        """Return every term to look up, sorted, none twice."""
        return tuple(sorted({form.term for word in self.words for form in word.forms}))


def read_question(text: str) -> Question:
    """Read a question with the analyzer that reads documents.

    Stop words are left out unless there is nothing else. A word that is not English counts once;
    the exact form and the stem of an English one share its weight, so what matches as written
    leads. A name counts whole and by its parts.

    Args:
        text: at most `MAX_CHARS` characters and `MAX_WORDS` words of it are read.
    """
    analyzer = Analyzer()
    asked = dict.fromkeys(
        word.strip("_") for word in words_of(part_scripts(fold_spelling(text[:MAX_CHARS])))
    )
    words = {word.forms: word for word in (_word(each, analyzer) for each in asked if each)}
    telling = [word for word in words.values() if not _is_stop_word(word)]
    return Question(tuple((telling or list(words.values()))[:MAX_WORDS]))


def _is_stop_word(word: Word) -> bool:
    return len(word.forms) <= 2 and word.forms[0].term in STOP_WORDS  # noqa: PLR2004 - exact, stem


def _word(word: str, analyzer: Analyzer) -> Word:
    if is_unspaced(word):
        terms = analyzer.terms_of(word)
        share = len(terms) ** -0.5
        return Word(word, tuple(Form(term, share) for term in terms[:MAX_FORMS]))
    if is_plain_word(word):
        return Word(word, _forms(word, 1.0, analyzer))
    names, words = split_name(word)
    parts = dict.fromkeys(map(fold_case, words))
    wholes = [name for name in dict.fromkeys(names) if name not in parts]
    weight = _PART_WEIGHT if wholes else 1.0
    forms = [Form(name, _NAME_WEIGHT) for name in wholes]
    forms += [form for part in parts for form in _forms(part, weight, analyzer)]
    return Word(word, tuple({form.term: form for form in forms}.values())[:MAX_FORMS])


def _forms(word: str, weight: float, analyzer: Analyzer) -> tuple[Form, ...]:
    exact, stem = analyzer.forms_of(word)
    if exact == stem:
        return (Form(exact, weight),)
    return Form(exact, weight * _EXACT_WEIGHT), Form(stem, weight * _STEM_WEIGHT)
