"""Rows of the build alone: a first one and an unchanged one, against reading the same blobs."""

import asyncio
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from brain.builder.job import Job, Outcome, Progress, Published, Started
from brain.builder.slots import BuildChild
from brain.embedded.postgres import prepare_postgres
from brain.embedded.process import running
from brain.evaluation.bench.git import timed_git
from brain.evaluation.bench.processes import MIB, family, peak_of
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.setting import Setting
from brain.gitmirror.fetch import fetch
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.remote import LocalRemote
from brain.store.demand import Tip, record_tip, want_build
from brain.store.migrate import migrate
from brain.store.pool import create_pool, transaction
from brain.store.sources import SourceRow, add_project, find_project_source

_TEN = (5_000, 12_500)
_TWENTY = (12_501, 20_000)
_GIB = 1024.0
#: Search may add 60 % to what a build without it takes.
_SEARCH = 1.6


class BuildError(Exception):
    """A build did not publish."""


class Builds:
    """A database, mirrors and a build child, and nothing else of the product.

    Args:
        setting: of the run.
        database_url: of a database with the schema.
        postgres_pid: whose processes are no build processes.
    """

    def __init__(self, setting: Setting, database_url: str, postgres_pid: int) -> None:
        self.setting = setting
        self._url = database_url
        self._postgres_pid = postgres_pid
        self._mirrors = setting.folder / "build-mirrors"
        self._child = BuildChild()
        self._count = 0
        self._blobs = setting.folder / "blobs"
        oids = "".join(f"{document.oid}\n" for document in setting.whole.documents)
        self._blobs.write_text(oids, encoding="ascii")

    def add(self) -> tuple[str, Mirror]:
        """Add a source of the repository with a mirror of its own; nothing of it is built."""
        self._count += 1
        name = f"build-{self._count}"
        return name, asyncio.run(self._add(name))

    def build(self, name: str, *, whole: bool = False) -> float:
        """Build what a source is owed and return the seconds that took.

        Raises:
            BuildError: it did not publish.
        """
        return asyncio.run(self._build(name, whole=whole))

    def source(self, name: str) -> SourceRow:
        """Return the row of a source."""
        return asyncio.run(self._source(name))

    def read_blobs(self) -> float:
        """Return the seconds that the peer takes to read the documents' blobs to nowhere."""
        return timed_git(self.setting.whole.path, "cat-file", "--batch", given=self._blobs)

    def build_processes(self) -> set[int]:
        """Return the processes of the build that runs, those that only wait included."""
        return family(os.getpid()) - family(self._postgres_pid) - {os.getpid()}

    def end_child(self) -> None:
        """End the build child; the next build starts another."""
        self._child.kill()

    async def _add(self, name: str) -> Mirror:
        remote = self.setting.whole.path
        async with create_pool(self._url) as pool, transaction(pool) as connection:
            source = await add_project(connection, name, str(remote), None)
            mirror = Mirror(self._mirrors, source.id)
            tip = fetch(mirror, LocalRemote(remote), None)
            await record_tip(connection, source.id, Tip(tip.branch, tip.commit or ""))
        return mirror

    async def _source(self, name: str) -> SourceRow:
        async with create_pool(self._url) as pool, transaction(pool) as connection:
            return await find_project_source(connection, name)

    async def _build(self, name: str, *, whole: bool) -> float:
        async with create_pool(self._url) as pool, transaction(pool) as connection:
            source = await find_project_source(connection, name)
            if whole:
                await want_build(connection, source.id, whole=True)
        job = Job(source.id, self._url, str(self._mirrors), log_level="WARNING")
        began = time.perf_counter()
        outcome: Outcome = await self._child.run(job, _ignore)
        took_s = time.perf_counter() - began
        if not isinstance(outcome, Published):
            raise BuildError(repr(outcome))
        return took_s


async def _ignore(_message: Started | Progress) -> None:
    return


@contextmanager
def build_stage(setting: Setting) -> Iterator[Builds]:
    """Run a Postgres, set up as the product has it, for builds alone."""
    postgres = prepare_postgres(setting.folder / "build-postgres")
    log = Path(setting.folder / "build-postgres.log")
    with running(postgres.program, log) as process:
        migrate(postgres.url)
        builds = Builds(setting, postgres.url, process.pid)
        builds.read_blobs()
        try:
            yield builds
        finally:
            builds.end_child()


def measure_times(builds: Builds, _number: int) -> Mapping[str, Sample]:
    """Build a new source, then the same commit again."""
    name, _ = builds.add()
    reading_s = builds.read_blobs()
    first_s = builds.build(name)
    fast = builds.source(name)
    reading_again_s = builds.read_blobs()
    again_s = builds.build(name, whole=True)
    on_fast_path = float(fast.last_build["documentsOnFastPath"])
    return {
        "first-build": Sample(first_s, reading_s),
        "rebuild": Sample(again_s, reading_again_s),
        "fast-path": Sample(on_fast_path, float(fast.counts["documents"])),
    }


def measure_memory(builds: Builds, _number: int) -> Mapping[str, Sample]:
    """Build a new source once more, watched: watching costs time, so this one is not timed."""
    name, _ = builds.add()
    builds.end_child()
    with peak_of(builds.build_processes) as peak:
        builds.build(name)
    return {"build-memory": Sample(peak[0] / MIB, _GIB)}


def _goal(limit: float, documents: tuple[int, int], *, at_least: bool = False) -> Goal:
    fewest, most = documents
    return Goal(limit, at_least=at_least, fewest_documents=fewest, most_documents=most)


TIMES = Group(
    "whole builds",
    (
        Row(
            "first-build",
            "first whole build, search included",
            "s",
            "git cat-file --batch of the same blobs",
            (_goal(16 * _SEARCH, _TEN), _goal(20 * _SEARCH, _TWENTY)),
        ),
        Row(
            "rebuild",
            "unchanged whole rebuild",
            "s",
            "git cat-file --batch of the same blobs",
            (_goal(8, _TEN),),
        ),
        Row(
            "fast-path",
            "documents on the fast path",
            "",
            "all documents",
            (_goal(0.8, _TEN, at_least=True),),
        ),
    ),
    build_stage,
    measure_times,
)
MEMORY = Group(
    "memory of a first build",
    (
        Row(
            "build-memory",
            "peak of all build processes",
            "MiB",
            "1 GiB",
            (_goal(1, (0, _TEN[1])), _goal(1.5, _TWENTY)),
        ),
    ),
    build_stage,
    measure_memory,
)
