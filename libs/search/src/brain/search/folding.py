"""Folding: one spelling for what people write in several ways.

Composed and decomposed letters, full-width forms and ligatures are one (NFKC). Accents of the
Latin, Greek and Cyrillic alphabets go, as people search without them: ``Zürich`` and ``zurich``
meet. Vowel signs and voicing marks of other scripts stay, they make other words. Turkish has two
letters i; all four forms fold to ``i``, so a query typed on any keyboard meets any spelling.
"""

import re
import unicodedata

#: Combining Diacritical Marks: the accents of alphabets, none of Indic, Thai or Japanese.
_ACCENTS = re.compile("[\u0300-\u036f]+")
# joined when removed: they only steer line breaks and ligatures inside a word
_INVISIBLE = re.compile("[\xad\u034f\u180e\u200c\u200d\u2060\ufeff]+")
_SAME = (("\u0131", "i"), ("\u2010", "-"), ("\u2019", "'"))  # dotless i, hyphen, apostrophe


def fold_spelling(text: str) -> str:
    """Fold everything but case, which still tells where the words of a name begin.

    At most 18 times as long as *text*, in practice as long.

    Source: Unicode Standard Annex 15 (normalization forms).
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text))
    composed = unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))
    for written, folded in _SAME:
        composed = composed.replace(written, folded)
    return composed


def fold_case(text: str) -> str:
    """Fold case as Unicode does; of text that `fold_spelling` returned."""
    return text.lower() if text.isascii() else text.casefold()
