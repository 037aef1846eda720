"""The golden sets ask in an asker's words, of nodes that exist, and enough of every kind."""

from collections import Counter
from pathlib import Path

import pytest

from brain.assessment.golden import UNANSWERABLE, read_golden
from brain.search.analyzer import Analyzer, words_of
from brain.search.folding import fold_case
from brain.search.stop_words import STOP_WORDS
from brain.tree.config import parse_config
from brain.tree.node import node_id
from brain.tree.parse import parse_document
from brain.tree.place import place_document

ROOT = Path(__file__).parents[2]
HANDBOOK = ROOT / "examples" / "handbook"
GOLDEN = ROOT / "eval" / "golden"
#: In their own words by intent.
EXEMPT = {"keyword", "id"}
MOST_SHARED = 0.4
#: Letters by which Turkish words are compared: the endings come behind.
ROOT_LETTERS = 5


@pytest.fixture(scope="module")
def passages():
    """Every node's text with everything beneath it, by id."""
    config, _ = parse_config((HANDBOOK / ".brain/config.yaml").read_bytes())
    found = {}
    for file in HANDBOOK.rglob("*.md"):
        path = file.relative_to(HANDBOOK).as_posix()
        data = file.read_bytes()
        lines = data.decode().split("\n")
        for node in place_document(parse_document(data, config), path, "0").nodes:
            found[node_id(path, node.anchor)] = "\n".join(
                lines[node.line_start - 1 : node.line_end]
            )
    return found


def content_words(text: str, is_turkish: bool) -> set[str]:
    analyzer = Analyzer()
    words = {fold_case(word) for word in words_of(text)} - STOP_WORDS
    return {word[:ROOT_LETTERS] if is_turkish else analyzer.stem(word) for word in words}


@pytest.mark.parametrize("name", ["handbook-search", "handbook-search-tr"])
def test_questions_share_few_words_with_their_passages(passages, name):
    is_turkish = name.endswith("-tr")
    too_close = []
    for question in read_golden(GOLDEN / f"{name}.yaml").questions:
        asked = content_words(question.question, is_turkish)
        for node in question.expect:
            shared = asked & content_words(passages[node], is_turkish)
            if question.type not in EXEMPT and len(shared) > MOST_SHARED * len(asked):
                too_close.append((question.id, node, len(asked), sorted(shared)))

    assert too_close == []


def test_there_are_enough_questions_of_every_kind():
    english = Counter(each.type for each in read_golden(GOLDEN / "handbook-search.yaml").questions)
    turkish = Counter(
        each.type for each in read_golden(GOLDEN / "handbook-search-tr.yaml").questions
    )

    assert english.total() >= 60
    assert english.keys() == {
        "keyword",
        "paraphrase",
        "typo",
        "mixed-language",
        "id",
        UNANSWERABLE,
    }
    assert min(english.values()) >= 8
    assert turkish.total() - turkish["cross-language"] >= 30
    assert turkish["cross-language"] >= 5
