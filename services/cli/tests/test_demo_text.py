from pathlib import Path

from brain.cli.demo_text import demo_text
from brain.cli.instance import Instance
from brain.cli.proof import Proof

INSTANCE = Instance(
    "http://127.0.0.1:7700/api", "http://127.0.0.1:7700/mcp", "brain_x", "/data", 7, "now"
)
STATUS = {
    "id": "handbook",
    "commit": "a" * 40,
    "counts": {"documents": 1200, "sections": 30, "cards": 4},
}
PROOF = Proof(
    "How long?",
    ("/", "domain/", "domain/rules.md", "domain/rules.md#rules", "domain/rules.md#R-05"),
    "domain/rules.md",
    9,
    10,
    "a" * 40,
    ("Twelve", "hours."),
)


def test_it_says_what_is_indexed_and_where_it_is_reached():
    text = demo_text(INSTANCE, STATUS, PROOF, Path("/repo"), already=False)

    assert "handbook is indexed: 1,200 documents and 34 headings, at aaaaaaaaaaaa" in text
    assert "REST      http://127.0.0.1:7700/api/docs\n" in text
    assert "Ctrl-C stops it." in text


def test_an_answer_stands_with_its_line_numbers_and_the_way_to_it():
    text = demo_text(INSTANCE, STATUS, PROOF, Path("/my repo"), already=False)

    assert "     9  Twelve\n    10  hours.\n" in text
    assert "Climbed   / > domain/ > rules.md > #rules > #R-05\n" in text
    assert "Cited     domain/rules.md:9-10@aaaaaaaaaaaa\n" in text
    assert "git -C '/my repo' show aaaaaaaaaaaa:domain/rules.md | sed -n 9,10p" in text


def test_what_git_could_not_confirm_is_said():
    text = demo_text(INSTANCE, STATUS, PROOF, None, already=False)

    assert "Checked   could not be compared with Git here" in text


def test_an_empty_repository_has_no_answer():
    text = demo_text(INSTANCE, STATUS, None, None, already=True)

    assert "There is no Markdown with text in it." in text
    assert "It ran already and stays" in text
