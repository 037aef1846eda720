"""Names: what stands in one piece in text and is still made of words.

Ids (``RULE-INV01-0001``), versions (``3.11.2``), paths (``deployment/chargeCustomer``), names of
code (``chargeCustomer``, ``charge_customer``), hyphenated and apostrophised words.
"""

import re
from collections.abc import Iterable

from brain.search.folding import fold_case

#: Characters of a term; a longer word is cut, equally in documents and questions.
MAX_TERM_CHARS = 64
#: Characters of a name that is kept whole; a longer one is found by its parts.
MAX_NAME_CHARS = 160
#: Words of one name that are looked at.
MAX_PARTS = 32

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINT = re.compile(r"[-_']+")
_LOOSE_JOINT = re.compile(r"(?<![0-9])[-_']+|[-_']+(?![0-9])")
_STEPS = re.compile(r"[/:]+")
_VERSION = re.compile(r"[vV]?([0-9]+(?:\.[0-9]+)+)")
#: Letters behind an apostrophe that are an ending: English 's, Turkish case endings.
_ENDING = re.compile(r"['](?:[sS]|[^\W\d]{1,5})$")


def joined(name: str) -> str:
    """Fold a name and leave its hyphens, underscores and apostrophes out.

    ``charge_customer``, ``charge-customer`` and ``chargeCustomer`` are one name then. Between
    digits they stay: ``10-12`` is not ``1012``.
    """
    return fold_case(_LOOSE_JOINT.sub("", name))


def is_plain_word(word: str) -> bool:
    """Say whether *word* is letters alone with no capital but the first, or capitals alone."""
    return word.isalpha() and (word[1:].islower() or word.isupper() or len(word) == 1)


def split_name(name: str) -> tuple[list[str], list[str]]:
    """Return the names that *name* holds, itself first, and the words they are made of.

    Both folded, repeats kept, within the limits above.
    """
    name = _ENDING.sub("", name)
    names = [name] if len(name) <= MAX_NAME_CHARS else []
    words: list[str] = []
    steps = _STEPS.split(name)
    for step in steps[-MAX_PARTS:]:
        names += [step] if len(steps) > 1 else []
        names += _versions(step)
        pieces = step.split(".")[:MAX_PARTS]
        for piece in pieces:
            names += [piece] if len(pieces) > 1 else []
            words += [word for part in _JOINT.split(piece) for word in _HUMP.split(part) if word]
    return _kept(map(joined, names)), _kept(map(fold_case, words[:MAX_PARTS]))


def _versions(step: str) -> list[str]:
    """Return the versions that *step* belongs to: ``v3.11.2`` is of ``3.11.2`` and ``3.11``."""
    found = _VERSION.fullmatch(step)
    if not found:
        return []
    numbers = found[1].split(".")[:MAX_PARTS]
    return [".".join(numbers[:count]) for count in range(len(numbers), 1, -1)]


def _kept(terms: Iterable[str]) -> list[str]:
    return [term[:MAX_NAME_CHARS] for term in terms if term]
