from brain.assessment.measures import Outcome
from brain.assessment.report import Answered, differences, report
from brain.assessment.thresholds import Threshold, shortfalls


def answered(name, kind, ranks, likely=True, **more):
    outcome = Outcome(ranks, (1.0,) * len(ranks)) if ranks else None
    return Answered(name, kind, "?", outcome, likely, 0.7, ("a.md",), (100, 50), **more)


ANSWERS = [
    answered("a", "keyword", (1,)),
    answered("b", "typo", (0,), likely=False, must=True),
    answered("c", "unanswerable", (), likely=True),
    answered("d", "unanswerable", (), likely=False),
    answered("e", "keyword", (0,), is_synthetic=True),
]


def test_a_report_tells_what_was_found_and_what_was_not():
    told = report("bm25", ANSWERS)

    assert told["mode"] == "bm25"
    assert told["overall"]["recall@5"] == 0.5
    assert told["byType"]["keyword"]["recall@5"] == 0.5
    assert told["byType"]["unanswerable"] == {"questions": 2, "answeredAsKnown": 0.5}
    assert told["abstention"] == {"unanswerable": 2, "answeredAsKnown": 0.5, "doubted": 0.5}
    assert told["tokens"] == {"mean@5": 150, "mean@10": 150}
    assert told["missed"] == ["b", "e"]
    assert told["failed"] == ["b"]


def test_thresholds_are_compared_in_words():
    told = report("bm25", ANSWERS)

    assert shortfalls(Threshold({"recall@5": 0.5}, 0.5), told) == []
    assert shortfalls(Threshold({"recall@5": 0.6}, 0.4), told) == [
        "recall@5 is 0.5, not 0.6",
        "0.5 of unanswerable questions are answered as if known",
    ]


def test_differences_are_told_for_measures_that_both_have():
    assert differences({"mrr": 0.5, "recall@5": 1.0}, {"mrr": 0.4}) == {"mrr": 0.1}
