"""Folder names that a reader could take for ``restricted``."""

import unicodedata

_NAME = "restricted"
#: Code points of letters and signs that look like a letter of the name.
_CODE_POINTS = {
    "r": "027C 027D 027E 0433 1D19 1D26 1D72 213E 2C85 AB47 AB48 AB81",
    "e": "025B 03B5 03F5 0435 0454 04BD 04BF 2108 212E 2147 AB32 AB9B",
    "s": "01BD 0282 0455 0581 10448 118C1 1D74 A731 ABAA",
    "t": "01AB 01AD 0288 03C4 0442 10297 1D1B 2020 2CA7 AB8F",
    "i": "0021 0031 006C 007C 0131 01C0 0268 0269 026A 03B9 0456 04CF 10320 2170 2223 2C93 A647",
    "c": "00A2 0188 03F2 0441 04AB 1043D 1D04 2CA5 A793 ABAF",
    "d": "0111 0256 0257 0501 146F 2146 A4D2 ABB7",
}
_LOOKALIKES = {
    int(code_point, 16): letter
    for letter, code_points in _CODE_POINTS.items()
    for code_point in code_points.split()
}
#: Letters of the name that have to be plain before any other letter may stand for the rest.
_PLAIN_LETTERS = 5


def is_restricted_name(segment: str) -> bool:
    """Say whether a path segment is ``restricted`` in some disguise.

    In any case, with invisible or combining characters, full width, with spaces or dots around
    it, or with letters that look alike. A name that has the right length and at least half of
    its letters plain counts whatever the other, non-ASCII characters are: better to leave out
    too much than to show what was meant to be hidden.

    Source: https://www.unicode.org/reports/tr39/#Confusable_Detection, widened to fail closed.
    """
    if segment.isascii():
        # the common case first: most names differ at once
        bare = segment.strip(" .\t").casefold()
        return len(bare) == len(_NAME) and bare.translate(_LOOKALIKES) == _NAME
    bare = _skeleton(segment)
    if len(bare) != len(_NAME):
        return False
    pairs = list(zip(bare, _NAME, strict=True))
    plain = sum(given == wanted for given, wanted in pairs)
    fits = all(given == wanted or not given.isascii() for given, wanted in pairs)
    return fits and plain >= _PLAIN_LETTERS


def _skeleton(segment: str) -> str:
    folded = unicodedata.normalize("NFKD", segment).casefold()
    folded = unicodedata.normalize("NFKD", folded)
    shown = (each for each in folded if unicodedata.category(each) not in ("Cf", "Mn", "Cc"))
    return "".join(shown).strip(" .").translate(_LOOKALIKES)
