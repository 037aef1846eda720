"""Growth: whether work on a hostile text grows with the text, or with its square."""

import time
from collections.abc import Callable

_TRIES = 6
#: Four times as much takes four times as long; of a square, sixteen times.
_FACTOR = 4
_MOST = 10
#: What is measured of nothing, in seconds.
_NOISE_S = 0.1


def grows_linearly(work: Callable[[int], object], count: int) -> bool:
    """Tell whether four times as much takes clearly less than sixteen times as long.

    A busy machine can slow one measurement and not the other, so a bad one is measured again; work
    that grows with the square never passes.

    Args:
        work: does something whose size is given.
        count: the smaller size, which should take some hundredths of a second.
    """
    work(count // 4)
    return any(
        _seconds(work, _FACTOR * count) < _MOST * _seconds(work, count) + _NOISE_S
        for _ in range(_TRIES)
    )


def _seconds(work: Callable[[int], object], count: int) -> float:
    began = time.process_time()
    work(count)
    return time.process_time() - began
