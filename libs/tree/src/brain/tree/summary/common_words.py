"""The words that the names of a folder's entries have in common."""

import re
from collections import Counter
from collections.abc import Sequence

#: No prefix of a number: ``KEP-1287`` names one thing.
_WORD = re.compile(r"(?<![^\W_])[^\W\d_][^\W_]*(?![^\W_])(?!-\d)")
_NUMBERED = re.compile(r"\d{3}")
_PLURAL = re.compile(r"(?<=[^s\W]{2}[^su\W])s\Z")
#: Words of the languages documents are most often written in that say nothing about a subject,
#: and words that name the form of a page.
_EMPTY = frozenset(
    """
    a about after all also an and any are as at be been before by can do does for from get has have
    how if in into is it its more no not of off on only or our out over own per so than that the
    their them then there these they this to up use used using via was we what when where which who
    why will with within without you your
    al aus avec bei como con dans das de del dem den der des di die do dos du ein eine einer el
    en et fra för från för het i il im la las le les los mit na notre o och og para per por pour que
    se si sur till um un una und uno vom von van voor y zu zum zur à über
    md readme index overview introduction page pages
    """.split()  # noqa: SIM905 - as a list it would be a page
)


def common_words(names: Sequence[str]) -> list[str]:
    """Return the words of names, those of most names first.

    Case and a plural s do not matter; a word is shown in the spelling that occurs first. Words of
    equal count stand in order of sight. Numbers, numbered words and empty words are no words.
    """
    counts: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    for name in names:
        found = dict.fromkeys(_words(name))
        for word in found:
            spellings.setdefault(_key(word), word if word.isupper() else word.casefold())
        counts.update({_key(word) for word in found})
    telling = [key for key in spellings if not _NUMBERED.search(key)]
    ranked = sorted(telling, key=lambda key: -counts[key])
    return [spellings[key] for key in ranked]


def _words(name: str) -> list[str]:
    words = _WORD.findall(name)
    return [word for word in words if len(word) > 1 and word.casefold() not in _EMPTY]


def _key(word: str) -> str:
    return _PLURAL.sub("", word.casefold())
