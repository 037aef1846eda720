"""Waiting in tests: always bounded, never longer than needed."""

import time
from collections.abc import Callable
from typing import TypeVar

POLL_S = 0.02

Found = TypeVar("Found")


def eventually(look: Callable[[], Found], *, within_s: float = 10.0) -> Found:
    """Look until there is something true to see, and return it.

    Raises:
        AssertionError: it did not come in time; the message holds the last sight.
    """
    deadline_s = time.monotonic() + within_s
    while not (found := look()):
        assert time.monotonic() < deadline_s, f"not within {within_s} s; last seen: {found!r}"
        time.sleep(POLL_S)
    return found
