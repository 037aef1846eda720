"""Golden files: questions in an asker's words, and the nodes that hold their answers.

The form of our own is documented in docs/evaluation.md. Two others are read as well: a mapping
``queries`` whose entries have ``query`` and ``expected`` places, and a list whose entries have
``query`` and ``expect`` paths.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from brain.assessment.errors import GoldenError

#: The type of questions that the knowledge base does not answer.
UNANSWERABLE = "unanswerable"
#: Stands for every scope a project has.
ALL_SCOPES = "*"


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document, or the part of it under a heading that ends as *heading* does, in any case."""

    path: str
    heading: str = ""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question. Any of the expected nodes is an answer; their documents lead to them."""

    id: str
    question: str
    #: Node ids: ``path.md``, ``path.md#anchor`` or ``folder/``; none when nothing answers.
    expect: list[str] = []
    #: Free words to report by, such as ``keyword`` or ``paraphrase``.
    type: str = "question"
    #: Places besides, for those who know headings and not anchors.
    expected: list[Place] = []
    #: Every expected node is needed, instead of any one.
    every: bool = False
    #: The scopes to search, the file's if there are none; ``*`` for all.
    scopes: list[str] = []
    #: The run fails when no answer is among the first ten.
    must: bool = False
    #: Who wrote it; what a machine made up is left out of the overall figures.
    origin: Literal["human", "agent", "synthetic"] = "human"

    @property
    def is_answerable(self) -> bool:
        """Tell whether something is expected to answer it."""
        return bool(self.expect or self.expected)


class Golden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The questions of one repository."""

    questions: list[Question]
    #: For the questions that name none.
    scopes: list[str] = []


def read_golden(path: Path) -> Golden:
    """Read a golden file.

    Raises:
        GoldenError: it is no such file, two questions share an id, or a question without an
            answer is not of the type that says so.
    """
    try:
        content = msgspec.yaml.decode(path.read_bytes())
        golden = msgspec.convert(_as_ours(content), Golden)
    except (OSError, msgspec.MsgspecError) as error:
        raise GoldenError(f"{path}: {error}") from error
    _check(path, golden.questions)
    return golden


def _check(path: Path, questions: Sequence[Question]) -> None:
    ids = [question.id for question in questions]
    if len(ids) != len(set(ids)):
        raise GoldenError(f"{path}: two questions share an id")
    for question in questions:
        if question.is_answerable == (question.type == UNANSWERABLE):
            raise GoldenError(
                f"{path}: {question.id}: type {UNANSWERABLE} and no other expects nothing"
            )


def _as_ours(content: Any) -> Any:  # noqa: ANN401 - YAML of any shape; convert checks it
    """Bring the two other forms into ours."""
    if isinstance(content, list):
        return {"questions": [_listed(each) for each in content], "scopes": [ALL_SCOPES]}
    if isinstance(content, dict) and "queries" in content:
        return {
            "questions": [
                _listed(each, "keyword", every=True) for each in _rows(content["queries"])
            ],
            "scopes": [ALL_SCOPES],
        }
    return content


def _listed(entry: Any, usual: str = "question", *, every: bool = False) -> Any:  # noqa: ANN401 - as above
    if not isinstance(entry, dict):
        return entry
    given = {
        ("question" if key == "query" else key): value
        for key, value in entry.items()
        if value is not None
    }
    answers = given.get("expect") or given.get("expected")
    return {"type": usual if answers else UNANSWERABLE, "every": every} | given


def _rows(queries: Any) -> list[Any]:  # noqa: ANN401 - as above
    return queries if isinstance(queries, list) else [queries]
