"""The navigator over trees made by hand."""

import pytest

from brain.assessment.errors import GoldenError
from brain.assessment.golden import Question, read_golden
from brain.evaluation.navigation import Glance, Page, report, walk
from brain.evaluation.navigator import LexicalNavigator, Range, Shown, stands_between
from brain.evaluation.terms import numbers_within, overlap, terms_of

TREE = {
    "/": [Shown("money/", summary="Prices and invoices"), Shown("sea/", summary="Buoys")],
    "money/": [Shown("money/tax.md", "Taxes"), Shown("money/price.md", "Prices")],
    "sea/": [Shown("sea/buoy.md", "Buoys")],
    "money/price.md": [Shown("money/price.md#list", "Price list")],
    "money/tax.md": [],
    "sea/buoy.md": [],
}


def looking_at(seen: list[str], tokens: int = 100):
    async def look(glance: Glance) -> Page | None:
        seen.append(glance.node)
        shown = Page(glance.node, TREE[glance.node], None, tokens)
        return shown if glance.page >= tokens else None

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

    went = await walk(question, looking_at([], tokens=200), budget=500)

    assert not went.reached
    assert went.tokens == 400


async def test_it_looks_elsewhere_when_nothing_matches():
    went = await walk(Question("q", "xyz", ["sea/buoy.md"]), looking_at([]))

    assert went.reached


async def test_a_range_is_continued_where_the_word_must_stand():
    names = [f"codes/error-c{number}.md" for number in range(2000, 2100)]
    seen: list[int] = []

    async def look(glance: Glance) -> Page | None:
        node, offset = glance.node, glance.offset
        if node == "/":
            return Page(node, [Shown("codes/", summary="error C2000 .. error C2099")], None, 50)
        if node != "codes/":
            return Page(node, [], None, 50)
        seen.append(offset)
        shown = [Shown(name) for name in names[offset : offset + 20]]
        marks = [(at, f"error-c{2000 + at}") for at in range(offset + 20, 100, 20)]
        return Page(node, shown, marks[0][0] if marks else None, 50, marks)

    went = await walk(Question("q", "What is C2067?", ["codes/error-c2067.md"]), look)

    assert went.reached
    assert seen == [0, 60]


async def test_what_a_short_page_left_of_a_range_is_asked_for():
    names = [f"codes/error-c{number}.md" for number in range(2000, 2060)]
    seen: list[int] = []

    async def look(glance: Glance) -> Page | None:
        node, offset = glance.node, glance.offset
        if node == "/":
            return Page(node, [Shown("codes/", "error")], None, 50)
        if node != "codes/":
            return Page(node, [], None, 50)
        seen.append(offset)
        shown = [Shown(name) for name in names[offset : offset + 10]]
        end = offset + len(shown)
        marks = [(at, f"error-c{2000 + at}") for at in range(end, 60, 25)]
        return Page(node, shown, end if marks else None, 50, marks)

    went = await walk(Question("q", "error C2032", ["codes/error-c2032.md"]), look)

    assert went.reached
    assert seen == [0, 10, 20, 30]


async def test_with_words_a_place_beneath_a_folder_is_opened_at_once():
    seen: list[Glance] = []
    place = Shown("far/below/tide.md#high", "Tides", match=0.6)
    weak = Shown("sea/buoy.md", "Buoys", match=0.1)

    async def look(glance: Glance) -> Page | None:
        seen.append(glance)
        children = [
            Shown("sea/", best=(weak,), match=0.1),
            Shown("far/", best=(place,), match=0.6),
        ]
        return Page(glance.node, children if glance.node == "/" else [], None, 50)

    question = Question("q", "When is the water highest?", ["far/below/tide.md"])
    went = await walk(question, look, with_words=True)

    assert went.opened == ["/", "far/below/tide.md"]
    assert [glance.words for glance in seen] == ["When is the water highest?", ""]


async def test_an_answer_to_words_is_continued_by_its_cursor():
    seen: list[tuple[str, str]] = []

    async def look(glance: Glance) -> Page | None:
        seen.append((glance.node, glance.cursor))
        if glance.node == "/" and not glance.cursor:
            return Page("/", [Shown("a.md", match=0.2)], None, 50, next_cursor="1-x-y")
        return Page(glance.node, [Shown("b.md", match=0.1)] if glance.cursor else [], None, 50)

    went = await walk(Question("q", "zebra", ["b.md"]), look, with_words=True)

    assert went.reached
    assert seen == [("/", ""), ("a.md", ""), ("/", "1-x-y"), ("b.md", "")]


async def test_a_usual_answer_to_words_is_continued_by_its_offset():
    seen: list[Glance] = []

    async def look(glance: Glance) -> Page | None:
        seen.append(glance)
        if glance.node != "/":
            return Page(glance.node, [], None, 50)
        if glance.offset:
            return Page("/", [Shown("b.md")], None, 50)
        return Page("/", [Shown("a.md")], 1, 50, [(1, "b")])

    went = await walk(Question("q", "zebra", ["b.md"]), look, with_words=True)

    assert went.reached
    assert [(glance.node, glance.offset, glance.words) for glance in seen] == [
        ("/", 0, "zebra"),
        ("/", 1, ""),
        ("a.md", 0, ""),
        ("b.md", 0, ""),
    ]


def test_words_meet_by_stem_or_beginning():
    assert terms_of("How are the chargeCustomer invoices made?") == [
        "chargecustom",
        "charg",
        "custom",
        "invoic",
        "mad",
    ]
    assert terms_of("policies policy volumes volume running run") == [
        "polic",
        "polic",
        "volum",
        "volum",
        "run",
        "run",
    ]
    assert terms_of("C++ and C#") == ["cpp", "csharp"]
    assert overlap(["invoice"], ["invoic"]) == {"invoice": 0.5}
    assert overlap(["price", "x"], ["price"]) == {"price": 1.0}


def test_a_numbered_term_lies_within_a_span():
    assert numbers_within(["c3007", "c4000", "d3007"], ["c2500", "c3999"]) == ["c3007"]


def test_a_word_stands_between_names_behind_what_they_share():
    part = Range("x/", 20, "tools-error-lnk2001", "tools-error-lnk2040")

    assert stands_between("lnk2019", part)
    assert not stands_between("lnk2041", part)
    assert not stands_between("m6108", Range("x/", 20, "linker", "rare"))
    assert stands_between("moor", Range("x/", 20, "linker", "rare"))
    assert not stands_between("moor", Range("x/", 20, "linker", ""))


def test_translations_come_behind_the_english_folder():
    navigator = LexicalNavigator("sync devices")
    navigator.see("/", [Shown("de/", summary="Sync"), Shown("en/"), Shown("notes/")])

    assert navigator.promise("en/") > navigator.promise("de/")
    assert navigator.promise("en/") > navigator.promise("notes/")


def test_a_readme_speaks_for_its_folder():
    navigator = LexicalNavigator("sync devices")
    navigator.see("/", [Shown("sync/")])
    navigator.see("sync/", [Shown("sync/README.md"), Shown("sync/other.md")])

    assert navigator.promise("sync/README.md") > 5 * navigator.promise("sync/other.md")


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
