"""Vectors filled in behind builds, by a model that counts words."""

import signal
import subprocess
import sys

import msgspec
import pytest

from brain.builder.build import run_build
from brain.builder.filling import run_fill
from brain.builder.job import Filled, FillJob, Interrupted, Job, Nothing
from brain.embedding.settings import Settings
from brain.testkit.embedding_server import embedding_server
from brain.testkit.waiting import eventually

pytestmark = pytest.mark.integration

FILES = {
    "a.md": "# Prices\n\nA refund takes two days.\n\n## Late\n\nA late parcel costs nothing.\n",
    "b.md": "# Boats\n\nBoats are blue.\n",
    "empty.md": "",
}
MODEL = "openai test"


@pytest.fixture(scope="module")
def model_server():
    with embedding_server() as server:
        yield server


@pytest.fixture
def server(model_server):
    model_server.texts.clear()
    model_server.status = 200
    return model_server


class Filling:
    def __init__(self, place, server):
        self.place, self.server = place, server
        self.name = MODEL

    def build(self):
        job = Job(self.place.id, self.place.rows.url, str(self.place.mirrors), model=self.name)
        return run_build(job, lambda _: None)

    def job(self, **how) -> FillJob:
        settings = Settings(
            provider="openai",
            model=self.name.partition(" ")[2],
            url=self.server.url,
            batch_size=2,
            timeout_s=5,
        )
        given = {"embedding": settings, "model": self.name} | how
        return FillJob(self.place.id, self.place.rows.url, str(self.place.mirrors), **given)

    def fill(self, **how):
        return run_fill(self.job(**how))

    @property
    def pending(self) -> int:
        return self.place.source.vectors_pending

    def vectors(self) -> dict:
        return dict(self.place.rows.all("select text_hash, codes from knowledge.vector"))


@pytest.fixture
def filling(place, server):
    return Filling(place, server)


def test_a_build_says_how_many_chunks_wait_and_a_fill_embeds_them(filling):
    filling.place.commit(FILES)
    filling.build()
    waiting = filling.pending

    outcome = filling.fill()

    assert waiting == 3
    assert outcome == Filled(3, 0)
    assert filling.pending == 0
    assert sorted(filling.server.texts) == [
        "Boats\n\n# Boats\n\nBoats are blue.",
        "Prices\n\n# Prices\n\nA refund takes two days.",
        "Prices > Late\n\n## Late\n\nA late parcel costs nothing.",
    ]


def test_each_batch_advances_the_epoch(filling):
    filling.place.commit(FILES)
    filling.build()

    first = filling.fill(turn_s=0)
    epoch = filling.place.source.vector_epoch
    second = filling.fill(turn_s=0)

    assert (first, second) == (Filled(2, 1), Filled(1, 0))
    assert 0 < epoch < filling.place.source.vector_epoch


def test_nothing_is_embedded_twice(filling):
    filling.place.commit(FILES)
    filling.build()
    filling.fill()
    filling.place.commit({**FILES, "c.md": FILES["b.md"], "b.md": FILES["b.md"] + "\nMore.\n"})
    filling.build()
    waiting = filling.pending
    filling.server.texts.clear()

    outcome = filling.fill()

    assert waiting == 1
    assert outcome == Filled(1, 0)
    assert filling.server.texts == ["Boats\n\n# Boats\n\nBoats are blue.\n\nMore."]
    assert filling.fill() == Nothing("no vectors are owed")


def test_without_a_model_nothing_waits(filling):
    filling.place.commit(FILES)

    filling.place.build()

    assert filling.pending == 0
    assert filling.fill() == Nothing("no vectors are owed")


def test_another_model_embeds_all_again_and_a_whole_build_drops_the_old_vectors(filling):
    filling.place.commit(FILES)
    filling.build()
    filling.fill()
    filling.name = "openai other"
    filling.place.rows.run("update knowledge.source set wanted_whole_seq = wanted_seq + 1")
    filling.place.want()

    filling.build()

    assert filling.pending == 3
    assert filling.vectors() == {}
    assert filling.fill() == Filled(3, 0)


def test_a_whole_build_drops_vectors_of_texts_that_are_gone(filling):
    filling.place.commit(FILES)
    filling.build()
    filling.fill()
    before = filling.vectors()
    filling.place.commit({"a.md": FILES["a.md"]})

    filling.build()

    assert (len(before), len(filling.vectors())) == (3, 2)
    assert filling.pending == 0


def test_an_outage_of_the_model_keeps_what_waits(filling):
    filling.place.commit(FILES)
    filling.build()
    filling.server.status = 400

    assert filling.fill() == Interrupted("The model's server answered 400.")
    assert filling.pending == 3


def test_the_vectors_of_a_removed_project_are_gone(filling):
    filling.place.commit(FILES)
    filling.build()
    filling.fill()

    filling.place.rows.run("delete from knowledge.project")

    assert filling.vectors() == {}


def test_a_killed_fill_loses_its_batch_alone(filling):
    filling.place.commit(FILES)
    filling.build()
    filling.fill(turn_s=0)
    filling.server.texts.clear()
    filling.server.may_answer.clear()
    code = (
        "import sys, msgspec\n"
        "from brain.builder.filling import run_fill\n"
        "from brain.builder.job import FillJob\n"
        "run_fill(msgspec.json.decode(sys.argv[1], type=FillJob))"
    )
    job = msgspec.json.encode(filling.job()).decode()
    with subprocess.Popen([sys.executable, "-c", code, job]) as process:
        eventually(lambda: filling.server.texts, within_s=20)
        process.send_signal(signal.SIGKILL)
    filling.server.may_answer.set()
    held = eventually(lambda: isinstance(outcome := filling.fill(), Filled) and outcome)

    assert held == Filled(1, 0)
    assert len(filling.vectors()) == 3
