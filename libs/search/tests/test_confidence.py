import pytest

from brain.search.confidence import THRESHOLD, confidence


@pytest.mark.parametrize(
    ("strength", "cosine", "expected"),
    [(0.0, None, 0.0), (0.2, None, 0.5), (0.6, None, 0.75), (0.2, 0.4, 0.5), (0.0, -0.3, 0.0)],
)
def test_evidence_as_confidence(strength, cosine, expected):
    assert confidence(strength, cosine) == pytest.approx(expected)


def test_a_cosine_counts_above_what_unrelated_texts_have():
    assert confidence(0.3, 0.75, unrelated_cosine=0.75) < THRESHOLD
    assert confidence(0.3, 0.9, unrelated_cosine=0.75) > THRESHOLD
