import pytest

from brain.assessment.errors import GoldenError
from brain.assessment.golden import Place, read_golden


def test_our_own_form_is_read(tmp_path):
    path = tmp_path / "golden.yaml"
    path.write_text(
        "scopes: ['*']\n"
        "questions:\n"
        "- {id: a, question: How?, type: typo, expect: [a.md, b.md#c], must: true}\n"
        "- {id: b, question: Why?, type: unanswerable}\n"
    )

    golden = read_golden(path)

    assert golden.scopes == ["*"]
    assert golden.questions[0].expect == ["a.md", "b.md#c"]
    assert golden.questions[0].must
    assert not golden.questions[0].every
    assert not golden.questions[1].is_answerable


def test_a_file_of_queries_needs_every_place_and_searches_everywhere(tmp_path):
    path = tmp_path / "queries.yaml"
    path.write_text(
        "queries:\n"
        "- id: a\n"
        "  query: How?\n"
        "  expected: [{path: a.md, heading: Refunds}, {path: b.md}]\n"
    )

    golden = read_golden(path)

    assert golden.scopes == ["*"]
    assert golden.questions[0].expected == [Place("a.md", "Refunds"), Place("b.md")]
    assert golden.questions[0].every
    assert golden.questions[0].type == "keyword"


def test_a_list_takes_any_path(tmp_path):
    path = tmp_path / "cases.yaml"
    path.write_text(
        "- {id: a, query: How?, expect: [a.md, b.md], origin: synthetic, must: false}\n"
        "- {id: b, query: Why?, expect: []}\n"
    )

    one, other = read_golden(path).questions

    assert one.expect == ["a.md", "b.md"]
    assert one.origin == "synthetic"
    assert not one.every
    assert other.type == "unanswerable"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("questions: [{id: a, question: x}]", "expects nothing"),
        (
            "questions: [{id: a, question: x, type: unanswerable, expect: [a.md]}]",
            "expects nothing",
        ),
        ("questions: [{id: a, question: x, expect: [a.md], answer: 3}]", "answer"),
        ("queries: 3", "golden"),
        ("- 3", "golden"),
        ("questions: [", "golden"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, problem):
    path = tmp_path / "golden.yaml"
    path.write_text(text)

    with pytest.raises(GoldenError, match=problem):
        read_golden(path)
