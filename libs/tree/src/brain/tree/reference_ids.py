"""Reference ids: ``R-01``, ``ADR-0091``, ``RULE-INV01-0001``."""

import re

_ID = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]{2,6}"
#: A longer one is no id: it becomes a key and part of a node id.
MAX_CHARS = 64
_BOUNDED = re.compile(rf"(?<![\w-]){_ID}(?![\w-])")
_WHOLE = re.compile(_ID)


def is_reference_id(text: str) -> bool:
    """Say whether *text* is exactly one reference id.

    Groups of ASCII capitals and digits joined by hyphens; the first starts with a letter, the
    last is two to six digits; `MAX_CHARS` in all.
    """
    return len(text) <= MAX_CHARS and _WHOLE.fullmatch(text) is not None


def leading_id(text: str) -> str:
    """Return the reference id that *text* starts with, or an empty text."""
    found = _BOUNDED.match(text)
    return found[0] if found and len(found[0]) <= MAX_CHARS else ""


def mentioned_ids(text: str) -> list[str]:
    """Return the reference ids in *text* in order, repeats kept.

    An id is bounded on both sides by neither a word character nor a hyphen.
    """
    return [found for found in _BOUNDED.findall(text) if len(found) <= MAX_CHARS]
