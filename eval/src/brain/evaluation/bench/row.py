"""Rows: what the bench measures, with what it is compared and which goal it has."""

from typing import Literal

import msgspec

#: How a row ended: within its goal, up to twice over it, beyond that; shown without a judgement
#: because it has no goal or the goal is for another size; or not comparable at all.
Verdict = Literal["met", "missed", "failed", "no goal", "other size", "no peer", "error"]

MOST_DOCUMENTS = 20_000


class Size(msgspec.Struct, frozen=True):
    """How large a run is: what decides which goals apply to it."""

    documents: int
    #: Of the indexed documents together.
    text_bytes: int
    #: Commits that the tip's history holds.
    commits: int
    #: Seconds between the last build and the look at what idles.
    idle_s: float


class Goal(msgspec.Struct, frozen=True):
    """The ratio a row should reach, and the sizes for which that was promised."""

    limit: float
    #: The ratio should be this large, instead of this small.
    at_least: bool = False
    fewest_documents: int = 0
    most_documents: int = MOST_DOCUMENTS
    fewest_commits: int = 0
    shortest_idle_s: float = 0.0

    def applies_to(self, size: Size) -> bool:
        """Tell whether a run has the size this goal is for."""
        return (
            self.fewest_documents <= size.documents <= self.most_documents
            and size.commits >= self.fewest_commits
            and size.idle_s >= self.shortest_idle_s
        )

    def judge(self, ratio: float) -> Verdict:
        """Return ``met``, ``missed`` up to twice over the goal, else ``failed``."""
        over = self.limit / ratio if self.at_least and ratio else ratio / self.limit
        if self.at_least and not ratio:
            return "failed"
        if over <= 1:
            return "met"
        return "missed" if over <= 2 else "failed"  # noqa: PLR2004 - twice, as the rule says


class Row(msgspec.Struct, frozen=True):
    """One line of the table."""

    key: str
    title: str
    #: Of both figures, such as ``s`` or ``/s``.
    unit: str
    #: With what it is compared, in words.
    peer: str
    #: The first that applies to the size counts; none is shown without a verdict.
    goals: tuple[Goal, ...] = ()


class Sample(msgspec.Struct, frozen=True):
    """One run of one row: our figure and the peer's, None when that peer is not installed."""

    ours: float
    peer: float | None


class Result(msgspec.Struct, frozen=True):
    """What the table and the JSON say of a row."""

    key: str
    title: str
    unit: str
    peer_name: str
    verdict: Verdict
    #: Medians over the runs; None when there is nothing to show.
    ours: float | None = None
    peer: float | None = None
    #: The median of the runs' ratios, which need not be the ratio of the medians.
    ratio: float | None = None
    goal: float | None = None
    at_least: bool = False
    #: Why it could not be measured.
    note: str = ""
    samples: tuple[Sample, ...] = ()
