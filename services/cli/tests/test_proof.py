import subprocess

from brain.cli.proof import Proof, answer, first_worth_asking, lines_in_git
from brain.testkit.repository import TestRepository


class StandInRemote:
    """Answers what it was given, by the last word of the path."""

    def __init__(self, answers, outline=()):
        self._answers = answers
        self._outline = outline

    def get(self, path, _parameters=None):
        return self._answers[path.rpartition("/")[2]]

    def lines(self, _path):
        return Opened(self._outline)


class Opened:
    def __init__(self, lines):
        self._lines = lines

    def __enter__(self):
        return iter(self._lines)

    def __exit__(self, *_):
        return None


def read_of(text):
    return {
        "tree": {"breadcrumb": [{"id": "/"}], "node": {"id": "a.md#b"}},
        "node": {
            "text": text,
            "citation": {"path": "a.md", "lineStart": 5, "lineEnd": 99, "commit": "c" * 40},
        },
    }


def test_the_heading_is_left_out_of_the_cited_lines():
    proof = answer(StandInRemote(read_of("## B\n\none\ntwo\n")), "p", "What?", "a.md#b")

    assert proof.lines == ("one", "two")
    assert (proof.line_start, proof.line_end) == (7, 8)
    assert proof.trail == ("/", "a.md#b")
    assert proof.citation == "a.md:7-8@cccccccccccc"


def test_an_underlined_heading_is_cited_with_its_text():
    proof = answer(StandInRemote(read_of("B\n---\n\none")), "p", "What?", "a.md#b")

    assert proof.lines[0] == "B"
    assert proof.line_start == 5


def test_a_long_text_is_cited_by_its_first_six_lines():
    text = "# B\n" + "\n".join(f"line {number}" for number in range(20))

    proof = answer(StandInRemote(read_of(text)), "p", "What?", "a.md#b")

    assert (proof.line_start, proof.line_end) == (6, 11)


def test_the_first_section_with_text_is_asked_about():
    outline = [
        '{"id": "a.md", "kind": "document", "lineStart": 1, "ownLineEnd": 9}',
        '{"id": "a.md#x", "kind": "section", "lineStart": 1, "ownLineEnd": 1}',
        '{"id": "a.md#y", "kind": "section", "lineStart": 3, "ownLineEnd": 5}',
    ]

    assert first_worth_asking(StandInRemote({}, outline), "p")["id"] == "a.md#y"
    assert first_worth_asking(StandInRemote({}, outline[:2]), "p")["id"] == "a.md"
    assert first_worth_asking(StandInRemote({}), "p") is None


def test_git_shows_the_lines_of_a_citation(tmp_path):
    repository = TestRepository(tmp_path / "notes.git")
    commit = repository.commit({"a b.md": "# A\r\n\none\r\ntwo\n"})
    proof = Proof("", (), "a b.md", 3, 4, commit, ())

    assert lines_in_git(repository.path, proof) == ("one", "two")


def test_a_folder_that_is_no_repository_shows_nothing(tmp_path):
    subprocess.run(["mkdir", str(tmp_path / "plain")], check=True)

    assert lines_in_git(tmp_path / "plain", Proof("", (), "a.md", 1, 1, "c" * 40, ())) is None
