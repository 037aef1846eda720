"""Asking the questions of an assessment through the search that everybody uses."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from brain.assessment.beir import DataSet, outcome_of_documents
from brain.assessment.golden import Golden
from brain.assessment.markdown_file import files_of
from brain.assessment.report import Answered
from brain.assessment.target import Found, needs_of, outcome_of
from brain.cli.remote import Remote
from brain.query.caller import EVALUATION_AGENT

#: Hits asked for: the depth of the measures.
_K = 10
#: Search gives at most two chunks of a document, so these hold ten documents.
_K_OF_DOCUMENTS = 20


class Project:
    """A project whose search is assessed.

    Args:
        remote: the instance.
        project_id: which is indexed.
        mode: of every search.
    """

    def __init__(self, remote: Remote, project_id: str, mode: str) -> None:
        self.warnings: dict[str, None] = {}
        #: The commits that answered: more than one when it moved meanwhile.
        self.commits: dict[str, None] = {}
        self._remote = remote
        self._path = f"/projects/{project_id}/brain"
        self.mode = mode
        self._parents: dict[str, dict[str, str]] = {}

    def ask_golden(self, golden: Golden, limit: int | None) -> Iterator[Answered]:
        """Ask the questions of a golden file, the first *limit* of them."""
        questions = golden.questions[:limit]
        asked = [
            {
                "q": each.question,
                "k": _K,
                "scopes": ",".join(each.scopes or golden.scopes) or None,
            }
            for each in questions
        ]
        answers = self._search(asked)
        for question, answer in zip(questions, answers, strict=True):
            hits = [_found(hit) for hit in answer["hits"]]
            needs = needs_of(question, self._within) if question.is_answerable else []
            base = _answered(question.id, question.type, question.question, answer)
            yield msgspec.structs.replace(
                base,
                outcome=outcome_of(needs, hits) if needs else None,
                is_synthetic=question.origin == "synthetic",
                must=question.must,
            )

    def ask_set(self, data: DataSet, limit: int | None) -> Iterator[Answered]:
        """Ask the questions of a public set, the first *limit* of them."""
        documents = {name: text.id for name, text in files_of(data.corpus).items()}
        questions = data.questions[:limit]
        answers = self._search({"q": each.text, "k": _K_OF_DOCUMENTS} for each in questions)
        for question, answer in zip(questions, answers, strict=True):
            ranked = [documents[hit["citation"]["path"]] for hit in answer["hits"]]
            outcome = outcome_of_documents(ranked, data.grades[question.id])
            base = _answered(question.id, question.type or "question", question.text, answer)
            yield msgspec.structs.replace(base, outcome=outcome)

    def _search(self, asked: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        parameters = ({"mode": self.mode, **each} for each in asked)
        for answer in self._remote.get_all(f"{self._path}/search", parameters, EVALUATION_AGENT):
            self.warnings.update(dict.fromkeys(_standing_warnings(answer)))
            self.commits[answer["commit"]] = None
            yield answer

    def _within(self, node: str) -> frozenset[str]:
        """Return the ids of a section and of everything beneath it."""
        path = node.partition("#")[0]
        if path not in self._parents:
            with self._remote.lines(f"{self._path}/outline", {"under": path}) as lines:
                nodes = [msgspec.json.decode(line) for line in lines if line]
            self._parents[path] = {each["id"]: each["parent"] for each in nodes}
        found = {node}
        for each, parent in self._parents[path].items():  # parents come before their children
            if parent in found:
                found.add(each)
        return frozenset(found)


def _found(hit: dict[str, Any]) -> Found:
    return Found(hit["nodeId"], hit["citation"]["path"], hit["breadcrumb"], hit["tokens"])


def _answered(name: str, kind: str, question: str, answer: dict[str, Any]) -> Answered:
    hits: Sequence[dict[str, Any]] = answer["hits"]
    return Answered(
        id=name,
        type=kind,
        question=question,
        outcome=None,
        is_likely=answer["isLikely"],
        confidence=answer["confidence"],
        nodes=tuple(hit["nodeId"] for hit in hits),
        tokens=tuple(hit["tokens"] for hit in hits),
    )


def _standing_warnings(answer: dict[str, Any]) -> list[str]:
    """Return the warnings about the search, not about one question."""
    warnings: list[str] = answer["warnings"]
    return [each for each in warnings if "does not seem to hold this" not in each]
