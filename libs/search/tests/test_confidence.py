import pytest

from brain.search.confidence import THRESHOLD, confidence
from brain.search.nearness import Nearness


@pytest.mark.parametrize(("strength", "expected"), [(0.0, 0.0), (0.2, 0.5), (0.6, 0.75)])
def test_strength_alone_as_confidence(strength, expected):
    assert confidence(strength) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("strength", "best", "lead", "expected"),
    [(0.0, 0.0, 0.0, 0.02 / 0.80), (0.18, 0.3, 0.15, 0.5), (0.48, 1.0, 0.43, 0.75)],
)
def test_evidence_of_both_legs_as_confidence(strength, best, lead, expected):
    assert confidence(strength, Nearness(best, lead), trust=1.0) == pytest.approx(expected)


def test_a_lead_makes_up_for_a_distant_language():
    foreign = Nearness(best=0.2, lead=0.05)
    translated = Nearness(best=0.2, lead=0.21)

    assert (
        confidence(0.05, foreign, trust=1.4) < THRESHOLD < confidence(0.05, translated, trust=1.4)
    )
