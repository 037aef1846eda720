"""The head of a text that is too long."""

from bisect import bisect_right
from itertools import accumulate

from brain.search.tokens import estimate_tokens

MARKER = "\n[\u2026 truncated to fit the token budget]"
#: Tokens below which a head says too little to be worth its place.
_LEAST_TOKENS = 40


def least_head() -> int:
    """Return the tokens that a truncated text needs, its marker included."""
    return _LEAST_TOKENS + estimate_tokens(MARKER)


def truncate(text: str, tokens: int) -> str:
    """Return the first lines of *text* that fit *tokens* with the marker behind them.

    A first line that does not fit is cut between characters. Nothing at all when not even the
    marker and one character fit.
    """
    room = tokens - estimate_tokens(MARKER)
    lines = text.split("\n")
    ends = list(accumulate(estimate_tokens(f"{line}\n") for line in lines))
    head = "\n".join(lines[: bisect_right(ends, room)]).rstrip()
    if not head:
        head = _cut(lines[0], room)
    return f"{head}{MARKER}" if head else ""


def _cut(line: str, room: int) -> str:
    # a character costs a token at most, spaces less: what is longer by far cannot fit
    low, high = 0, min(len(line), 16 * max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(line[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return line[:low]
