"""The vocabulary: what stands between spaces, numbered, with the terms of each as numbers.

Counting terms as text costs a dozen steps of Python a word. A text here becomes numbers in three
calls whatever its length, and everything behind that is arithmetic on arrays.
"""

from array import array
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from brain.search.analyzer import MAX_REMEMBERED_CHARS, Analyzer, words_of
from brain.search.names import MAX_TERM_CHARS, is_plain_word

#: Pieces that are known at once; about 60 MB with their terms.
MAX_PIECES = 1 << 18

_JOINTS = "-./:'"
#: Everything in ASCII that neither stands in a word nor joins two becomes a space.
_SPACED = "".join(
    chr(code) if chr(code).isalnum() or chr(code) in f"_{_JOINTS}" else " " for code in range(128)
)

Numbers = npt.NDArray[np.int32]


class Terms:
    """The terms of every piece of a vocabulary, as numbers; a view for arithmetic."""

    def __init__(self, starts: Numbers, numbers: Numbers) -> None:
        self._starts = starts
        self._counts = np.diff(starts)
        self._numbers = numbers

    def of(self, pieces: Numbers) -> tuple[Numbers, Numbers]:
        """Return the terms of *pieces*, one piece after another, and how many each has."""
        counts = self._counts[pieces]
        ends = np.cumsum(counts, dtype=np.int64)
        first = np.repeat(self._starts[pieces] - (ends - counts), counts)
        return self._numbers[first + np.arange(len(first))], counts


class Vocabulary:
    """Numbers pieces and terms in the order they are met; for one thread.

    A piece is what `read` finds between spaces: of ASCII text a run of words and what joins
    words, of any other text a word of `brain.search.analyzer.words_of`. The terms of a text are
    those of its pieces, whichever way it was taken apart.
    """

    def __init__(self) -> None:
        self._analyzer = Analyzer()
        self.forget()

    def is_full(self) -> bool:
        """Tell whether so much is known that it should be forgotten."""
        return len(self._starts) > MAX_PIECES

    def forget(self) -> None:
        """Forget everything; numbers given out before mean nothing then."""
        self._pieces = _Pieces(self._learn)
        self._terms: dict[str, int] = {}
        self._forms = _Forms(self._learn_forms)
        self._starts = array("i", [0])
        self._numbers = array("i")

    def read(self, text: str) -> list[int]:
        """Return the numbers of the pieces of *text*, in order."""
        pieces = text.translate(_SPACED).split() if text.isascii() else words_of(text)
        return list(map(self._pieces.__getitem__, pieces))

    def terms(self) -> list[str]:
        """Return every term met so far, by number."""
        return list(self._terms)

    def terms_of_pieces(self) -> Terms:
        """Return the terms of every piece met so far."""
        return Terms(np.array(self._starts, np.int32), np.array(self._numbers, np.int32))

    def _learn(self, piece: str) -> int:
        numbers = self._numbers
        if is_plain_word(piece) and piece.isascii():
            numbers.extend(self._forms[piece[:MAX_TERM_CHARS]])
        else:
            for word in words_of(piece) if piece.isascii() else (piece,):
                numbers.extend(self._numbers_of(word))
        self._starts.append(len(numbers))
        return len(self._starts) - 2

    def _numbers_of(self, word: str) -> Iterable[int]:
        named, words = self._analyzer.split_word(word)
        terms = self._terms
        numbers = [terms.setdefault(term, len(terms)) for term in named]
        for each in words:
            # what lies beyond is in no term, and must not be held
            numbers += self._forms[each[:MAX_TERM_CHARS]]
        return dict.fromkeys(numbers)

    def _learn_forms(self, word: str) -> tuple[int, ...]:
        terms, forms = self._terms, self._analyzer.forms_of(word)
        return tuple(dict.fromkeys(terms.setdefault(form, len(terms)) for form in forms))


class _Forms(dict[str, tuple[int, ...]]):
    """Numbers of the forms of the words of names: many names, few words."""

    def __init__(self, learn: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, word: str) -> tuple[int, ...]:
        forms = self[word] = self._learn(word)
        return forms


class _Pieces(dict[str, int]):
    """Number of each piece; one that is not known is learnt, a long one not remembered."""

    def __init__(self, learn: Callable[[str], int]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, piece: str) -> int:
        bare = piece.strip(_JOINTS) if piece.isascii() else piece
        number = self[bare] if len(bare) != len(piece) else self._learn(piece)
        if len(piece) <= MAX_REMEMBERED_CHARS:
            self[piece] = number
        return number
