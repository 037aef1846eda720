"""Nearness: what the cosines of a vector leg say, whatever model they are of."""

from collections.abc import Sequence

import msgspec


class Nearness(msgspec.Struct, frozen=True):
    """How near a question's nearest chunks are; both numbers 0 to 1."""

    #: The best cosine, above that of texts which have nothing in common.
    best: float
    #: How far the best is above the mean of its list: little where nothing stands out.
    lead: float


def nearness_of(cosines: Sequence[float], unrelated_cosine: float) -> Nearness:
    """Return the nearness that a list of cosines tells.

    Args:
        cosines: of the chunks of a vector leg, at least one, best first.
        unrelated_cosine: what the model gives texts that have nothing in common, below 1: about 0
            for MiniLM, 0.76 for E5.
    """
    room = 1 - unrelated_cosine
    mean = sum(cosines) / len(cosines)
    return Nearness(
        best=min(1.0, max(0.0, (cosines[0] - unrelated_cosine) / room)),
        lead=min(1.0, max(0.0, (cosines[0] - mean) / room)),
    )
