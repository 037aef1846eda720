"""An incremental build stores what a whole build of the same commit stores."""

import random
from pathlib import Path

import psycopg
import pytest

from brain.builder.build import run_build
from brain.builder.job import Job, Published
from brain.gitmirror.fetch import fetch
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.remote import parse_remote
from brain.store.migrate import migrate
from brain.testkit.history import RandomHistory

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

QUERIES = {
    "document": "select path, folder, blob, head, body from knowledge.document"
    " where source_id = %s order by path",
    "folder": "select path, parent, head from knowledge.folder where source_id = %s order by path",
    "definition": "select key, kind, path, anchor from knowledge.definition"
    " where source_id = %s order by 1, 2, 3, 4",
    "reference": "select key, path from knowledge.reference where source_id = %s order by 1, 2",
    "changed": "select path, commit, at, subject from knowledge.changed"
    " where source_id = %s order by path",
}


@pytest.fixture(scope="module")
def migrated(postgres):
    with postgres.fresh_database(migrate) as url:
        yield url


class Bench:
    """Sources over one repository, built by hand."""

    def __init__(self, url: str, mirrors: Path, repository: Path):
        self.url, self.mirrors, self.repository = url, mirrors, repository
        self.kinds: list[str] = []

    def add(self, name: str) -> int:
        with psycopg.connect(self.url, autocommit=True) as session:
            session.execute("insert into knowledge.project (id, remote) values (%s, '')", (name,))
            row = session.execute(
                "insert into knowledge.source (project_id) values (%s) returning id", (name,)
            ).fetchone()
        return row[0]

    def build(self, source_id: int) -> dict:
        tip = fetch(Mirror(self.mirrors, source_id), parse_remote(str(self.repository)), None)
        with psycopg.connect(self.url, autocommit=True) as session:
            session.execute(
                "update knowledge.source set tip = %s, branch = %s, wanted_seq = wanted_seq + 1"
                " where id = %s",
                (tip.commit, tip.branch, source_id),
            )
        outcome = run_build(Job(source_id, self.url, str(self.mirrors)), lambda _: None)
        assert isinstance(outcome, Published), outcome
        return self.state(source_id)

    def state(self, source_id: int) -> dict:
        with psycopg.connect(self.url) as session:
            state = {
                table: session.execute(query, (source_id,)).fetchall()
                for table, query in QUERIES.items()
            }
            row = session.execute(
                "select indexed_commit, counts, left_out, config, last_build->>'kind'"
                " from knowledge.source where id = %s",
                (source_id,),
            ).fetchone()
        self.kinds.append(row[4])
        return state | {"source": row[:4]}


@pytest.mark.parametrize("seed", range(6))
def test_incremental_equals_whole_on_random_histories(migrated, tmp_path, seed):
    history = RandomHistory(tmp_path / "repository.git", random.Random(seed))
    bench = Bench(migrated, tmp_path / "mirrors", history.path)
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
