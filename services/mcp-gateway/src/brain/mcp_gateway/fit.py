"""Fitting: the whole result, text and structured output together, stays within a budget."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from brain.query.errors import BudgetTooSmallError
from brain.query.tokens import estimate_tokens

Item = TypeVar("Item")

DEFAULT_TOKENS = 6_000
MOST_TOKENS = 100_000


def cost_of(value: object) -> int:
    """Return the tokens of a value as JSON."""
    return estimate_tokens(msgspec.json.encode(value).decode())


def take(items: Sequence[Item], costs: Sequence[int], room: int) -> tuple[list[Item], int]:
    """Take items from the front as long as they fit; returns them and the room left."""
    taken: list[Item] = []
    for item, cost in zip(items, costs, strict=True):
        if cost > room:
            break
        taken.append(item)
        room -= cost
    return taken, room


def room_after(fixed: int, max_tokens: int, least: int = 0) -> int:
    """Return what a budget leaves after the parts every answer has.

    Raises:
        BudgetTooSmallError: less than *least* is left.
    """
    if fixed + least > max_tokens:
        raise BudgetTooSmallError(fixed + least)
    return max_tokens - fixed
