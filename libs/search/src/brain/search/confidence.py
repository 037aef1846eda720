"""Confidence: how sure an answer is that the source holds one at all.

Measured on questions asked of a source that does not cover them, docs/retrieval.md. Of questions
next to what a source covers it cannot tell, nor can any score that looks at words and vectors only.
"""

from brain.search.fusion import vector_weight
from brain.search.nearness import Nearness

#: An answer below it should say that nothing was found.
THRESHOLD = 0.5
#: Evidence that is worth `THRESHOLD`: of the keyword leg alone, and of both legs.
_KEYWORD_STRENGTH = 0.2
_TOGETHER = 0.78
#: What the vector leg's weight counts for as evidence.
_LEAD_WORTH = 2.0


def confidence(
    keyword_strength: float, nearness: Nearness | None = None, trust: float = 0.0
) -> float:
    """Return a score from 0 to 1; `THRESHOLD` and above means the answer is likely there.

    With evidence x and the evidence t that is worth the threshold, x / (x + t). With vectors the
    evidence is the sum of the keyword leg's strength, of how near the nearest chunk is, and of how
    far it is ahead of the others. The last lets a question in another language than the passages
    pass, whose cosines are all lower.

    Args:
        keyword_strength: `brain.search.bm25.KeywordRanking.strength`, 0 to 1.
        nearness: of the vector leg; None without one.
        trust: of its model, as `brain.search.fusion.vector_weight` has it.
    """
    if nearness is None:
        return _share(keyword_strength, _KEYWORD_STRENGTH)
    lead = _LEAD_WORTH * vector_weight(nearness, trust)
    return _share(keyword_strength + nearness.best + lead, _TOGETHER)


def _share(evidence: float, worth_threshold: float) -> float:
    known = max(0.0, evidence)
    return known / (known + worth_threshold)
