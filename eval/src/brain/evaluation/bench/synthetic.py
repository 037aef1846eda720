"""The repository that the bench makes when none is given: equal everywhere, and a little like ours.

Documents of about 8 KB with headings, lists, tables, code, links and reference ids, in folders of
some twenty, and a history in which they change one by one.
"""

from pathlib import Path
from random import Random

from brain.evaluation.bench.git import commit_stream, git
from brain.evaluation.bench.repository import init_bare

COMMITS = 1_200
_FIRST_S = 1_700_000_000
_STEP_S = 600
_VOCABULARY = 6_000
_IN_A_FOLDER = 20
_SYLLABLES = ("ba", "con", "der", "est", "fil", "gra", "han", "jor", "kel", "lam", "mon", "qua")


class _Writer:
    """Writes documents from a vocabulary whose words are as unevenly frequent as real ones."""

    def __init__(self, documents: int) -> None:
        self._random = Random(7)  # noqa: S311 - equal runs, not secrets
        self._documents = documents
        pick = self._random.choice
        self._words = [
            "".join(pick(_SYLLABLES) for _ in range(2 + n % 3)) for n in range(_VOCABULARY)
        ]

    def path(self, number: int) -> bytes:
        folder = number // _IN_A_FOLDER
        return f"part-{folder % 10}/topic-{folder}/document-{number}.md".encode()

    def document(self, number: int) -> bytes:
        title = self._phrase(3).title()
        parts = [f"# {title}\n\n{self._paragraph()}\n"]
        parts += [self._section(number, section) for section in range(1, 7)]
        return "\n".join(parts).encode()

    def _section(self, number: int, section: int) -> str:
        other = self._random.randrange(self._documents)
        link = f"See [{self._phrase(2)}](/{self.path(other).decode()}) and DOC-{other:05}."
        kinds = (
            lambda: "\n".join(f"- {self._phrase(9)}" for _ in range(5)),
            lambda: f"```python\n{self._phrase(4)} = {number}\n# {self._phrase(6)}\n```",
            lambda: (
                f"| {self._phrase(1)} | {self._phrase(1)} |\n|---|---|\n"
                + "\n".join(f"| {self._phrase(2)} | {self._phrase(3)} |" for _ in range(4))
            ),
        )
        heading = (
            f"## DOC-{number:05} {self._phrase(3)}" if section == 1 else f"## {self._phrase(4)}"
        )
        body = f"{self._paragraph()}\n\n{kinds[section % 3]()}\n\n{link}\n\n{self._paragraph()}"
        return f"{heading}\n\n{body}\n"

    def _paragraph(self) -> str:
        return f"{self._phrase(45).capitalize()}."

    def _phrase(self, count: int) -> str:
        # The square favours low ranks, somewhat as Zipf's law does.
        draws = (int(self._random.random() ** 2.5 * _VOCABULARY) for _ in range(count))
        return " ".join(self._words[draw] for draw in draws)


def make_repository(path: Path, documents: int, commits: int = COMMITS) -> None:
    """Write the repository; equal arguments give equal commits.

    Args:
        path: of a bare repository, which must not exist.
        documents: how many there are, all from the first commit on.
        commits: how many there are; each after the first changes one document.
    """
    init_bare(path)
    writer = _Writer(documents)
    texts = {writer.path(number): writer.document(number) for number in range(documents)}
    stream = [commit_stream(0, _FIRST_S, texts)]
    for number in range(1, commits):
        changed = number * 37 % documents
        text = {writer.path(changed): writer.document(changed)}
        stream.append(commit_stream(number, _FIRST_S + _STEP_S * number, text))
    git(path, "fast-import", "--quiet", given=b"".join(stream))
