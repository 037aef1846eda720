"""The navigator over trees made by hand."""

import pytest

from brain.evaluation.golden import GoldenError, Question, read_golden
from brain.evaluation.navigation import Page, report, walk
from brain.evaluation.terms import overlap, terms_of

TREE = {
    "/": [("money/", "money/ Prices and invoices"), ("sea/", "sea/ Buoys and moorings")],
    "money/": [("money/tax.md", "money/tax.md Taxes"), ("money/price.md", "money/price.md Prices")],
    "sea/": [("sea/buoy.md", "sea/buoy.md Buoys")],
    "money/price.md": [("money/price.md#list", "money/price.md#list Price list")],
    "money/tax.md": [],
    "sea/buoy.md": [],
}


def looking_at(seen: list[str], tokens: int = 100):
    async def look(node: str, offset: int, page: int) -> Page | None:
        seen.append(node)
        return Page(node, TREE[node], None, tokens) if page >= tokens else None

    return look


async def test_it_descends_where_the_words_are():
    seen: list[str] = []
    question = Question("q", "What is the price?", ["money/price.md#list"])

    went = await walk(question, looking_at(seen))

    assert went.reached
    assert seen == ["/", "money/", "money/price.md"]
    assert went.tokens == 300


async def test_it_stops_when_the_budget_is_spent():
    question = Question("q", "What is the price?", ["money/price.md"])

    went = await walk(question, looking_at([], tokens=400), budget=1000)

    assert not went.reached
    assert went.tokens == 800


async def test_it_looks_elsewhere_when_nothing_matches():
    went = await walk(Question("q", "xyz", ["sea/buoy.md"]), looking_at([]))

    assert went.reached


def test_words_meet_by_stem_or_beginning():
    assert terms_of("How are the chargeCustomer invoices made?") == [
        "charge",
        "custom",
        "invoic",
        "made",
    ]
    assert overlap(["invoic"], ["invoice"]) == {"invoic": 0.5}
    assert overlap(["price", "x"], ["price"]) == {"price": 1.0}


async def test_a_report_counts_by_type():
    questions = [
        Question("a", "price", ["money/price.md"], "keyword"),
        Question("b", "price", ["absent.md"], "other"),
    ]
    walks = [await walk(question, looking_at([])) for question in questions]

    told = report(walks, questions)

    assert told["reached"] == 0.5
    assert told["byType"] == {"keyword": 1.0, "other": 0.0}
    assert told["missed"] == ["b"]


def test_a_golden_file_with_two_questions_of_one_id_is_refused(tmp_path):
    path = tmp_path / "golden.yaml"
    path.write_text(
        "questions:\n"
        "- {id: a, question: x, expect: [a.md]}\n"
        "- {id: a, question: y, expect: [b.md]}\n"
    )

    with pytest.raises(GoldenError, match="share an id"):
        read_golden(path)
