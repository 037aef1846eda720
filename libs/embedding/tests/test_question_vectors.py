import asyncio
import importlib.util

import numpy as np
import pytest

from brain.embedding.embedder import EmbeddingError
from brain.embedding.providers import choose
from brain.embedding.quantised import cosines, squared_lengths
from brain.embedding.question_vectors import QuestionVectors
from brain.embedding.settings import Settings
from brain.testkit.embedding_server import embedding_server

needs_model = pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None, reason="the extra `local` is not installed"
)
LOCAL = Settings(provider="local", model="minilm")


@pytest.fixture
def server():
    with embedding_server() as running:
        yield running


def remote(server) -> Settings:
    return Settings(provider="openai", model="m", url=server.url)


@needs_model
async def test_a_local_model_knows_what_is_alike():
    questions = QuestionVectors(LOCAL, longest_s=40.0)
    try:
        cat, kitten, tax = [
            await questions.embed(text) for text in ("a cat", "a small kitten", "income tax law")
        ]
    finally:
        await questions.close()

    rows = np.stack([kitten, tax])
    near, far = cosines(rows, squared_lengths(rows), cat)
    assert near > 0.5 > far
    assert len(cat) == 384


@needs_model
async def test_the_process_is_started_again_after_it_died():
    questions = QuestionVectors(LOCAL, longest_s=40.0)
    try:
        first = await questions.embed("one")
        questions._asker._process.kill()
        await questions._asker._process.wait()
        again = await questions.embed("two")
        questions._known.clear()
        same = await questions.embed("one")
    finally:
        await questions.close()

    assert len(again) == len(first)
    assert same.tolist() == first.tolist()


def test_weights_that_are_not_there_mean_keywords_and_say_so(tmp_path):
    choice = choose(Settings(provider="local", model="minilm", model_dir=str(tmp_path)))

    assert choice.model is None
    assert "brain model pull" in choice.problem


async def test_a_question_is_asked_once(server):
    questions = QuestionVectors(remote(server))

    first, second = await asyncio.gather(
        questions.embed("a question"), questions.embed("a question")
    )
    third = await questions.embed("a question")

    assert server.texts == ["a question"]
    assert first.tolist() == second.tolist() == third.tolist()


async def test_after_a_failure_nobody_waits_again_for_a_while(server):
    questions = QuestionVectors(remote(server))
    server.status = 500

    with pytest.raises(EmbeddingError, match="answered 500"):
        await questions.embed("a")
    with pytest.raises(EmbeddingError, match="a moment ago"):
        await questions.embed("b")

    assert server.texts == ["a"]


async def test_no_model_is_an_error_that_says_so():
    with pytest.raises(EmbeddingError, match="configured"):
        await QuestionVectors(Settings()).embed("a")
