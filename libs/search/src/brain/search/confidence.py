"""Confidence: how sure an answer is that the source holds one at all.

Measured on questions asked of a source that does not cover them, docs/retrieval.md. Of questions
next to what a source covers it cannot tell, nor can any score that looks at words and vectors only.
"""

#: An answer below it should say that nothing was found.
THRESHOLD = 0.5
#: Strength of the keyword leg, alone or with a cosine added, that is worth `THRESHOLD`.
_KEYWORD_STRENGTH = 0.2
_TOGETHER = 0.6


def confidence(
    keyword_strength: float, cosine: float | None = None, unrelated_cosine: float = 0.0
) -> float:
    """Return a score from 0 to 1; `THRESHOLD` and above means the answer is likely there.

    With evidence x and the evidence t that is worth the threshold, x / (x + t).

    Args:
        keyword_strength: `brain.search.bm25.KeywordRanking.strength`, 0 to 1.
        cosine: of the question and the nearest chunk; None without a vector leg.
        unrelated_cosine: what the model gives texts that have nothing in common, below 1: about 0
            for MiniLM, 0.7 for E5.
    """
    if cosine is None:
        return _share(keyword_strength, _KEYWORD_STRENGTH)
    nearness = max(0.0, (cosine - unrelated_cosine) / (1 - unrelated_cosine))
    return _share(keyword_strength + nearness, _TOGETHER)


def _share(evidence: float, worth_threshold: float) -> float:
    known = max(0.0, evidence)
    return known / (known + worth_threshold)
