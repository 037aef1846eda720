"""Spaces and labels as callers write them, cleaned as the index stores them."""

import re

from brain.query.errors import BadRequestError

_SPACE = re.compile(r"~?[A-Za-z0-9._-]{1,64}")


def clean_space(space: str | None) -> str:
    """Return a space key in upper case; empty when none is given.

    Raises:
        BadRequestError: it is no space key.
    """
    if space is None:
        return ""
    if not _SPACE.fullmatch(space.strip()):
        raise BadRequestError("space", "is no space key.")
    return space.strip().upper()


def clean_label(label: str | None) -> str:
    """Return a label in lower case without ``#``; empty when none is given.

    Raises:
        BadRequestError: nothing is left of it.
    """
    if label is None:
        return ""
    cleaned = label.strip().lstrip("#").strip().lower()
    if not cleaned:
        raise BadRequestError("label", "holds no label.")
    return cleaned


def separated(text: str) -> tuple[str, ...]:
    """Return the names of a list separated by commas, none of them empty."""
    return tuple(name for part in text.split(",") if (name := part.strip()))
