"""An index that grew by incremental builds answers as one that was built whole does.

``BRAIN_SOAK_STEPS`` makes the histories longer, ``BRAIN_SOAK_SEEDS`` makes them more.
"""

import os
import random

import msgspec
import pytest

from brain.gitmirror.ancestry import CommitError
from brain.gitmirror.libgit2 import MirrorError
from brain.query.answers import lookup_answer, read_answer, tree_answer
from brain.query.backlinks import backlinks_answer
from brain.query.broken import broken_answer
from brain.query.changes import changes_answer
from brain.query.cite import cite_answer
from brain.query.errors import QueryError
from brain.query.read import ReadOptions
from brain.query.reader import Reader
from brain.testkit.history import RandomHistory

pytestmark = [pytest.mark.integration, pytest.mark.timeout(7200)]

STEPS = int(os.environ.get("BRAIN_SOAK_STEPS", "8"))
SEEDS = int(os.environ.get("BRAIN_SOAK_SEEDS", "2"))


class Asked:
    """Everything that is asked of a project after one commit, and what it answers."""

    def __init__(self, reader: Reader, project: str, commits: list[tuple[str, dict[str, str]]]):
        self.reader, self.project = reader, project
        self.commits = commits
        self.files = commits[-1][1]
        self.answers: dict[tuple, object] = {}

    async def note(self, question: tuple, answer) -> None:
        try:
            value = msgspec.to_builtins(await answer)
        except (QueryError, CommitError, MirrorError) as error:
            value = f"{type(error).__name__}: {error}"
        else:
            value.pop("indexedAt")
            value.pop("projectId")
        self.answers[question] = value

    async def ask_all(self) -> dict[tuple, object]:
        await self.note(("broken",), broken_answer(self.reader, self.project, causes_from=0))
        for node in await self.nodes():
            await self.ask_about(node)
        for name in self.names():
            await self.note(("lookup", name), lookup_answer(self.reader, self.project, name))
        await self.ask_history()
        return self.answers

    async def nodes(self) -> list[str]:
        """Return the id of every node, climbing the tree as a person does."""
        found, waiting = [], ["/"]
        while waiting:
            node = waiting.pop()
            found.append(node)
            await self.note(
                ("tree", node),
                tree_answer(self.reader, self.project, node, depth=2, offset=0, limit=200),
            )
            waiting += [child["id"] for child in self.answers["tree", node]["children"]]
        return found

    async def ask_about(self, node: str) -> None:
        reader, project = self.reader, self.project
        await self.note(("read", node), read_answer(reader, project, node, ReadOptions()))
        await self.note(("lookup", node), lookup_answer(reader, project, node))
        await self.note(
            ("backlinks", node), backlinks_answer(reader, project, node, offset=0, limit=100)
        )

    def names(self) -> list[str]:
        stems = {name.rpartition("/")[2].removesuffix(".md") for name in self.files}
        ids = {f"R-{number:02}" for number in range(12)} | {f"DOC-{n:03}" for n in range(12)}
        return sorted(stems | ids | {"MOVED-01", "Also rules", "also prices", "nothing"})

    async def ask_history(self) -> None:
        """Ask of a few older commits what became of their lines, their paths and themselves."""
        dice = random.Random(self.commits[-1][0])
        for commit, files in dice.sample(self.commits, min(len(self.commits), 4)):
            await self.note(("changes", commit), changes_answer(self.reader, self.project, commit))
            for path in dice.sample(sorted(files), 3):
                lines = (1, dice.randrange(1, 4))
                await self.note(
                    ("cite", commit, path, lines),
                    cite_answer(self.reader, self.project, path, lines, commit),
                )
            for path in sorted(files.keys() - self.files.keys())[:4]:
                await self.note(
                    ("moved", path),
                    tree_answer(self.reader, self.project, path, depth=1, offset=0, limit=50),
                )


@pytest.mark.parametrize("seed", range(100, 100 + SEEDS))
async def test_incremental_answers_equal_whole_ones(bench_of, reader_of, tmp_path, seed):
    history = RandomHistory(tmp_path / "repository.git", random.Random(seed))
    bench = bench_of(tmp_path / "mirrors", history.path)
    kept = bench.add(f"kept-{seed}")
    history.step()
    bench.build(kept)
    reader = await reader_of(bench)

    for number in range(STEPS):
        said = history.step()
        bench.build(kept)
        bench.build(bench.add(f"fresh-{seed}-{number}"))
        await reader.learn()
        line = history.line
        grown = await Asked(reader, f"kept-{seed}", line).ask_all()
        whole = await Asked(reader, f"fresh-{seed}-{number}", line).ask_all()
        assert grown.keys() == whole.keys(), f"other nodes after step {number}, {said}"
        for question, answer in whole.items():
            assert grown[question] == answer, f"{question} differs after step {number}, {said}"

    assert "incremental" in bench.kinds


async def test_an_index_built_anew_at_the_same_commit_is_another_publication(
    bench_of, reader_of, tmp_path
):
    history = RandomHistory(tmp_path / "repository.git", random.Random(1))
    history.step()
    bench = bench_of(tmp_path / "mirrors", history.path)
    source = bench.add("anew")
    reader = await reader_of(bench)

    bench.build(source)
    before = await reader.pointer("anew")
    bench.build(source)
    after = await reader.pointer("anew")

    assert before.commit == after.commit
    assert before.publication != after.publication
