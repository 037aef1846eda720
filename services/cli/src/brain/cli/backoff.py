"""How long a process that died waits before it is started again."""

FIRST_S = 0.4
LONGEST_S = 30.0
#: A process that lived this long starts over with the first delay.
HEALTHY_S = 60.0


def next_delay(previous_s: float, lived_s: float) -> float:
    """Return the delay before the next start, in seconds.

    Args:
        previous_s: the delay before the start that just ended; 0 for the first start.
        lived_s: how long the process lived.
    """
    if previous_s == 0 or lived_s >= HEALTHY_S:
        return FIRST_S
    return min(previous_s * 2, LONGEST_S)
