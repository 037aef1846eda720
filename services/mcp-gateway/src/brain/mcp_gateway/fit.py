"""Fitting: the whole result, text and structured output together, stays within a budget."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from brain.mcp_gateway.tool import Answer
from brain.query.errors import BudgetTooSmallError
from brain.search.tokens import estimate_tokens

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


def spent(answer: Answer) -> int:
    """Return the tokens of a whole answer."""
    return cost_of(answer.structured) + estimate_tokens(answer.text)


def settle(make: Callable[[int], Answer], max_tokens: int, *, guess: int, least: int) -> Answer:
    """Return the answer that shows as much as fits.

    Parts were counted one by one for the guess; the whole is counted here, and a little is taken
    away until it fits.

    Args:
        make: gives the answer that shows so many items.
        max_tokens: the budget.
        guess: where to begin.
        least: the fewest items that make sense.

    Raises:
        BudgetTooSmallError: not even *least* items fit; it names what they need.
    """
    answer = make(least)
    for count in range(max(guess, least), least, -1):
        fuller = make(count)
        if spent(fuller) <= max_tokens:
            return fuller
    if spent(answer) > max_tokens:
        raise BudgetTooSmallError(spent(answer))
    return answer


def settled(showing: Callable[[int], Answer], costs: Sequence[int], max_tokens: int) -> Answer:
    """Show as many items as fit, and at least one of them where there is one."""
    least = min(1, len(costs))
    taken, _ = take(costs, costs, max_tokens - spent(showing(0)))
    return settle(showing, max_tokens, guess=len(taken), least=least)
