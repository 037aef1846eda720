"""Golden files: questions in an asker's words, and the nodes that hold their answers."""

from pathlib import Path

import msgspec


class GoldenError(Exception):
    """The golden file cannot be read."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question. Any of the expected nodes is an answer; their documents lead to them."""

    id: str
    question: str
    #: Node ids: ``path.md``, ``path.md#anchor`` or ``folder/``.
    expect: list[str]
    #: Free words to report by, such as ``keyword`` or ``paraphrase``.
    type: str = "question"


class Golden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The questions of one repository."""

    questions: list[Question]


def read_golden(path: Path) -> Golden:
    """Read a golden file, YAML with one key ``questions``.

    Raises:
        GoldenError: it is no such file, or two questions share an id.
    """
    try:
        golden = msgspec.yaml.decode(path.read_bytes(), type=Golden)
    except (OSError, msgspec.DecodeError) as error:
        raise GoldenError(f"{path}: {error}") from error
    ids = [question.id for question in golden.questions]
    if len(ids) != len(set(ids)):
        raise GoldenError(f"{path}: two questions share an id")
    return golden
