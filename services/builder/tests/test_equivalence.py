"""An incremental build stores what a whole build of the same commit stores."""

import random

import pytest

from brain.testkit.history import RandomHistory

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]


@pytest.mark.parametrize("seed", range(6))
def test_incremental_equals_whole_on_random_histories(bench_of, tmp_path, seed):
    history = RandomHistory(tmp_path / "repository.git", random.Random(seed))
    bench = bench_of(tmp_path / "mirrors", history.path)
    kept = bench.add(f"kept-{seed}")
    history.step()
    bench.build(kept)

    for number in range(12):
        said = history.step()
        grown = bench.build(kept)
        whole = bench.build(bench.add(f"fresh-{seed}-{number}"))
        for part, rows in whole.items():
            assert grown[part] == rows, f"{part} differs after {said}"

    assert "incremental" in bench.kinds
