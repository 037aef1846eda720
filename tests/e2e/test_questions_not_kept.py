"""With BRAIN_QUERY_LOG_TEXT=false no file of an instance holds a word of what was asked."""

import os
import time

import pytest

from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder
from tests.e2e.conftest import started
from tests.e2e.test_bundles import Mcp, Rest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

#: Stands in no document, so whatever file holds it has it from a question.
SECRET = "quokkafizzle"
ASKED = f"how is a payment {SECRET} retried"
NEEDLE = SECRET.encode()
PLACE = "/api/projects/pay/brain"


def ask_everything(instance, rest, mcp) -> str:
    """Ask in every way there is; returns the id of a bundle that was made."""
    rest.get(f"{PLACE}/search", q=ASKED)
    rest.get(f"{PLACE}/search", q=f"{SECRET} zebra")
    rest.get(f"{PLACE}/tree", words=ASKED)
    rest.get(f"{PLACE}/grep", text=SECRET)
    rest.get(f"{PLACE}/lookup", q=SECRET)
    rest.get("/api/search", q=ASKED, project="pay")
    mcp.call("search_context", query=ASKED)
    mcp.call("compile_bundle", task_description=ASKED)
    rest.get(f"{PLACE}/search", q=SECRET, k="many")
    rest.post(f"{PLACE}/bundle", task=ASKED, maxTokens=1)
    rest.post(f"{PLACE}/bundle", task=ASKED, more=SECRET)
    instance.json("search", "pay", ASKED)
    bundle = rest.post(f"{PLACE}/bundle", task=ASKED).json()["bundleId"]
    rest.post("/api/usage", bundle_id=bundle, project="pay", useful_chunk_ids=[SECRET])
    return bundle


def counted(rest, name: str) -> int:
    return rest.get(f"{PLACE}/stats").json()["byName"].get(name, {}).get("requests", 0)


def test_no_file_holds_a_word_of_a_question_when_words_are_not_kept():
    environment = dict(os.environ) | {"BRAIN_QUERY_LOG_TEXT": "false"}
    with scratch_folder() as folder:
        repository = TestRepository(folder / "pay.git")
        repository.commit({"README.md": "# Pay\n\nA payment is retried three times.\n"})
        with started(folder / "data", environment) as instance:
            instance.json("project", "add", "pay", "--repo", str(repository.path), "--wait")
            rest = Rest(instance.reach)
            bundle = ask_everything(instance, rest, Mcp({**instance.reach}))
            end = time.monotonic() + 15
            while counted(rest, "compile_bundle") < 2 and time.monotonic() < end:
                time.sleep(0.2)

            assert counted(rest, "compile_bundle") == 2
            assert instance.json("gaps", "pay")["gaps"] == []
            replayed = rest.get(f"{PLACE}/bundle/{bundle}/replay")
            assert replayed.json()["code"] == "not-replayable"
            rows = [line for line in instance.lines("dump", "pay") if SECRET in str(line)]
            assert rows == []

        # stopped: whatever a process still held is on the disk
        holders = [
            str(each.relative_to(folder))
            for each in (folder / "data").rglob("*")
            if each.is_file() and NEEDLE in each.read_bytes()
        ]
        assert (folder / "data/postgres/data/PG_VERSION").exists()
        assert holders == []
