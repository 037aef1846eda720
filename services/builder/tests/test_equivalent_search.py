"""An index that grew by incremental builds ranks, and is dumped, as one that was built whole.

``BRAIN_SOAK_STEPS`` makes the histories longer, ``BRAIN_SOAK_SEEDS`` makes them more.
"""

import os
import random

import msgspec
import pytest

from brain.query.dump import dump
from brain.query.index_cache import IndexCache
from brain.query.search import SearchOptions, search_answer
from brain.query.view import View
from brain.store.pointer import read_pointer
from brain.store.pool import create_pool, snapshot
from brain.testkit.history import RandomHistory

pytestmark = [pytest.mark.integration, pytest.mark.timeout(7200)]

STEPS = int(os.environ.get("BRAIN_SOAK_STEPS", "8"))
SEEDS = int(os.environ.get("BRAIN_SOAK_SEEDS", "2"))
QUESTIONS = (
    "prices",
    "prces and dates",  # corrected to what most chunks hold
    "which rules are about orders and stock",
    "R-03 review",
    "DOC-004",
    "guides/deep billing",
    "MOVED-01",
    "retired teams",
    "zebra",
)


async def searched(reader, project: str) -> dict[str, dict]:
    answers = {}
    for question in QUESTIONS:
        options = SearchOptions(k=50, explain=True)
        answer = msgspec.to_builtins(await search_answer(reader, project, question, options))
        answer.pop("indexedAt")
        answer.pop("projectId")
        answers[question] = answer
    return answers


async def dumped(bench, project: str) -> list[bytes]:
    async with create_pool(bench.url) as pool, snapshot(pool) as connection:
        view = View(await read_pointer(connection, project), IndexCache(), connection)
        return [line async for line in dump(view, connection)]


@pytest.mark.parametrize("seed", range(200, 200 + SEEDS))
async def test_incremental_search_equals_whole_search(bench_of, reader_of, tmp_path, seed):
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
        grown = await searched(reader, f"kept-{seed}")
        whole = await searched(reader, f"fresh-{seed}-{number}")
        for question, answer in whole.items():
            assert grown[question] == answer, f"{question} differs after step {number}, {said}"
        lines = await dumped(bench, f"kept-{seed}")
        assert lines == await dumped(bench, f"fresh-{seed}-{number}"), f"after {number}, {said}"

    assert "incremental" in bench.kinds
    assert any(answer["hits"] for answer in whole.values())
    tables = {msgspec.json.decode(line)["table"] for line in lines}
    assert {"document", "chunk", "posting"} <= tables
