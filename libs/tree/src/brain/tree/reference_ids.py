"""Reference ids: ``R-01``, ``ADR-0091``, ``RULE-INV01-0001``."""

import re

_ID = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]{2,6}"
_BOUNDED = re.compile(rf"(?<![\w-]){_ID}(?![\w-])")
_WHOLE = re.compile(_ID)


def is_reference_id(text: str) -> bool:
    """Say whether *text* is exactly one reference id.

    Groups of ASCII capitals and digits joined by hyphens; the first starts with a letter, the
    last is two to six digits.
    """
    return _WHOLE.fullmatch(text) is not None


def leading_id(text: str) -> str:
    """Return the reference id that *text* starts with, or an empty text."""
    found = _BOUNDED.match(text)
    return found[0] if found else ""


def mentioned_ids(text: str) -> list[str]:
    """Return the reference ids in *text* in order, repeats kept.

    An id is bounded on both sides by neither a word character nor a hyphen.
    """
    return _BOUNDED.findall(text)
