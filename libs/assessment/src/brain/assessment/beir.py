"""Public sets in the form of BEIR: a corpus, questions, and which documents answer them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from brain.assessment.errors import DataSetError
from brain.assessment.measures import Outcome

#: What a project can hold.
MOST_DOCUMENTS = 20_000


class Text(msgspec.Struct, frozen=True):
    """A document or a question."""

    id: str
    text: str
    title: str = ""
    type: str = ""


class DataSet(msgspec.Struct, frozen=True):
    """One set, everything that is not judged left out of the questions."""

    corpus: list[Text]
    questions: list[Text]
    #: By question: the grade of each document that answers it, above 0.
    grades: dict[str, dict[str, float]]


def read_beir(folder: Path) -> DataSet:
    """Read ``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv`` (or ``qrels/test.tsv``).

    Ids may stand under ``id`` or ``_id``; ``qrels.tsv`` may have a line of headings, and a column
    for the iteration as trec_eval has it.

    Raises:
        DataSetError: a file is missing or is something else, or there are too many documents.
    """
    corpus = list(_texts(folder / "corpus.jsonl"))
    if len(corpus) > MOST_DOCUMENTS:
        raise DataSetError(f"{folder}: {len(corpus):,} documents; at most {MOST_DOCUMENTS:,}.")
    if len({text.id for text in corpus}) != len(corpus):
        raise DataSetError(f"{folder}: two documents share an id.")
    grades = _grades(folder)
    questions = [text for text in _texts(folder / "queries.jsonl") if grades.get(text.id)]
    if not questions:
        raise DataSetError(f"{folder}: no question has an answer.")
    return DataSet(corpus, questions, grades)


def outcome_of_documents(ranked: Sequence[str], grades: dict[str, float]) -> Outcome:
    """Return at which rank each judged document stands.

    Args:
        ranked: ids of the documents of the hits, best first; a document counts where it first
            stands, as its best chunk.
        grades: of the documents that answer.
    """
    places = {name: rank for rank, name in enumerate(dict.fromkeys(ranked), 1)}
    return Outcome(tuple(places.get(name, 0) for name in grades), tuple(grades.values()))


def _texts(path: Path) -> Iterator[Text]:
    try:
        lines = path.read_bytes().splitlines()
        entries = [msgspec.json.decode(line, type=dict[str, Any]) for line in lines if line.strip()]
        for entry in entries:
            yield Text(
                str(entry["id"] if "id" in entry else entry["_id"]),
                str(entry.get("text") or ""),
                str(entry.get("title") or ""),
                str(entry.get("type") or ""),
            )
    except (OSError, msgspec.DecodeError, KeyError) as error:
        raise DataSetError(f"{path}: {error}") from error


def _grades(folder: Path) -> dict[str, dict[str, float]]:
    path = folder / "qrels.tsv"
    if not path.exists():
        path = folder / "qrels" / "test.tsv"
    grades: dict[str, dict[str, float]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise DataSetError(f"{path}: {error}") from error
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        grade = _number(cells[-1])
        if len(cells) < 3 or (grade is None and number > 1):  # noqa: PLR2004 - question, document, grade
            if line.strip():
                raise DataSetError(f"{path}:{number}: not question, document and grade.")
        elif grade is not None and grade > 0:
            grades.setdefault(cells[0], {})[cells[-2]] = grade
    return grades


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
