"""Names: what stands in one piece in text and is still made of words.

Ids (``RULE-INV01-0001``), versions (``3.11.2``), paths (``deployment/chargeCustomer``), names of
code (``chargeCustomer``, ``charge_customer``), hyphenated and apostrophised words.
"""

import re
from functools import lru_cache

from brain.search.folding import fold_case

#: Characters of a term; a longer word is cut, equally in documents and questions.
MAX_TERM_CHARS = 64
#: Characters of a name that is kept whole; a longer one is found by its parts.
MAX_NAME_CHARS = 160
#: Steps of one name, and words of one step, that are looked at.
MAX_PARTS = 32

#: Where a word within a name ends: at a joint and before a hump.
_WORD_END = re.compile(r"[-_']+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: A joint between digits is no joint of words.
_LOOSE_JOINT = re.compile(r"(?<![0-9])[-_']+|[-_']+(?![0-9])")
_TIGHT_JOINT = re.compile(r"[0-9][-_'][0-9]")
_STEPS = re.compile(r"[/:]+")
_VERSION = re.compile(r"[vV]?([0-9]+(?:\.[0-9]+)+)")
#: Letters behind an apostrophe that are an ending: English 's, Turkish case endings.
_ENDING = re.compile(r"['](?:[sS]|[^\W\d]{1,5})$")


def joined(name: str) -> str:
    """Fold a name and leave its hyphens, underscores and apostrophes out.

    ``charge_customer``, ``charge-customer`` and ``chargeCustomer`` are one name then. Between
    digits they stay: ``10-12`` is not ``1012``.
    """
    if name.isalnum():
        return fold_case(name)
    if _TIGHT_JOINT.search(name):
        return fold_case(_LOOSE_JOINT.sub("", name))
    return fold_case(name.replace("-", "").replace("_", "").replace("'", ""))


def is_plain_word(word: str) -> bool:
    """Say whether *word* is letters alone with no capital but the first, or capitals alone."""
    return word.isalpha() and (word[1:].islower() or word.isupper() or len(word) == 1)


def split_name(name: str) -> tuple[list[str], list[str]]:
    """Return the names that *name* holds, itself first and folded, and the words they are made of.

    The words as they are written; repeats kept, all within the limits above.
    """
    if "'" in name:
        name = _ENDING.sub("", name)
    if "/" not in name and ":" not in name:
        return _split_step(name)
    names = [joined(name)] if len(name) <= MAX_NAME_CHARS else []
    words: list[str] = []
    for step in _STEPS.split(name)[-MAX_PARTS:]:
        split = _split_step if len(step) > MAX_NAME_CHARS else _remembered_step
        its_names, its_words = split(step)
        names += its_names
        words += its_words
    return names, words


#: Many paths are made of few steps; long ones are hardly ever met again.
@lru_cache(maxsize=1 << 14)
def _remembered_step(step: str) -> tuple[list[str], list[str]]:
    return _split_step(step)


def _split_step(step: str) -> tuple[list[str], list[str]]:
    """Split a name without slashes and colons."""
    names = [step] if len(step) <= MAX_NAME_CHARS else []
    pieces = [step]
    if "." in step:
        pieces = step.split(".")[:MAX_PARTS]
        names += _versions(step) + pieces
    words = [word for piece in pieces for word in _WORD_END.split(piece) if word]
    folded = [joined(each)[:MAX_NAME_CHARS] for each in names]
    return list(filter(None, folded)), words[:MAX_PARTS]


def _versions(step: str) -> list[str]:
    """Return the versions that *step* belongs to: ``v3.11.2`` is of ``3.11.2`` and ``3.11``."""
    found = _VERSION.fullmatch(step)
    if not found:
        return []
    numbers = found[1].split(".")[:MAX_PARTS]
    return [".".join(numbers[:count]) for count in range(len(numbers), 1, -1)]
