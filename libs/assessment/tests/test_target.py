from brain.assessment.golden import Place, Question
from brain.assessment.target import Found, needs_of, outcome_of

HITS = [
    Found("a.md#one", "a.md", "Guide > One", 10),
    Found("b/c.md#retry-policy", "b/c.md", "Pay > Retry > Retry policy > Limits", 10),
]


def within(node):
    return frozenset({node, f"{node}-below"})


def ranks(**what):
    return outcome_of(needs_of(Question("q", "q", **what), within), HITS).ranks


def test_a_document_is_met_by_any_of_its_chunks_and_a_folder_by_its_documents():
    assert ranks(expect=["b/c.md"]) == (2,)
    assert ranks(expect=["b/"]) == (2,)
    assert ranks(expect=["/"]) == (1,)
    assert ranks(expect=["c.md"]) == (0,)


def test_a_section_is_met_by_itself_and_what_lies_beneath():
    assert ranks(expect=["a.md#one"]) == (1,)
    assert ranks(expect=["a.md#two"]) == (0,)
    hits = [Found("a.md#two-below", "a.md", "Guide > Two > Below", 1)]
    needs = needs_of(Question("q", "q", ["a.md#two"]), within)
    assert outcome_of(needs, hits).ranks == (1,)


def test_any_answer_will_do_unless_every_one_is_needed():
    assert ranks(expect=["x.md", "b/c.md"]) == (2,)
    assert ranks(expect=["x.md", "b/c.md"], every=True) == (0, 2)


def test_a_heading_is_the_end_of_the_titles_down_to_it_in_any_case():
    assert ranks(expected=[Place("b/c.md", "retry policy")]) == (2,)
    assert ranks(expected=[Place("b/c.md", "Retry > Retry policy")]) == (2,)
    assert ranks(expected=[Place("b/c.md", "Refunds")]) == (0,)
