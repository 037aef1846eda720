"""The demonstration, as a newcomer runs it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from brain.testkit.ports import free_port_pair
from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder
from brain.testkit.waiting import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


@contextlib.contextmanager
def demonstrated(data: Path, *words: str):
    command = [sys.executable, "-m", "brain.cli", "demo", "--data", str(data), "--json", *words]
    process = subprocess.Popen(
        [*command, "--port-base", str(free_port_pair())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    try:
        line = process.stdout.readline()
        if not line:
            pytest.fail(process.stderr.read())
        yield process, json.loads(line)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def processes_of(data: Path) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(data).encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return [pid for pid in found if pid != os.getpid()]


@pytest.fixture(scope="module")
def folder():
    with scratch_folder() as made:
        yield made


def test_the_example_answers_a_question_with_lines_that_git_has_too(folder):
    with demonstrated(folder / "demo") as (process, shown):
        page = httpx.get(shown["docsUrl"], trust_env=False)
        script = httpx.get(f"{shown['docsUrl']}/assets/swagger-ui-bundle.js", trust_env=False)
        process.send_signal(signal.SIGINT)
        code = process.wait(60)

    assert shown["counts"]["documents"] == 44
    assert shown["answered"]["citation"]["path"] == "domain/reading-rules.md"
    assert shown["answered"]["sameInGit"]
    assert any("12 hours from June" in line for line in shown["answered"]["lines"])
    assert (page.status_code, script.status_code) == (200, 200)
    assert 'src="https:' not in page.text
    assert "href='https:" not in page.text
    assert code == 130
    assert processes_of(folder / "demo") == []


def test_a_second_run_indexes_a_repository_beside_the_example(folder):
    repository = TestRepository(folder / "notes.git")
    commit = repository.commit({"a.md": "# A\n\nText of a.\n\n## B\n\nText of b.\n"})

    with demonstrated(folder / "demo", "--repo", str(repository.path)) as (process, shown):
        process.terminate()
        code = process.wait(60)

    assert (shown["project"], shown["commit"]) == ("notes", commit)
    assert shown["answered"]["sameInGit"]
    assert code == 0


def test_a_namesake_of_another_repository_gets_a_number(folder):
    repository = TestRepository(folder / "other" / "notes.git")
    repository.commit({"a.md": "Only text.\n"})

    with demonstrated(folder / "demo", "--repo", str(repository.path)) as (_, shown):
        pass

    assert shown["project"] == "notes-2"


def test_what_cannot_be_indexed_is_one_line_and_exit_1(folder):
    TestRepository(folder / "empty.git")
    command = [sys.executable, "-m", "brain.cli", "demo", "--data", str(folder / "demo")]
    command += ["--repo", str(folder / "empty.git"), "--port-base", str(free_port_pair())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 1
    assert f"brain: {folder}/empty.git could not be indexed" in done.stderr
    assert processes_of(folder / "demo") == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_nothing_survives_a_demonstration_that_is_killed(folder):
    with demonstrated(folder / "demo") as (process, _):
        process.kill()
        process.wait()

    eventually(lambda: processes_of(folder / "demo") == [], within_s=40)
