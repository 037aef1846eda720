import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from brain.embedding.embedder import EmbeddingError
from brain.embedding.remote import Ollama, OpenAi, Server
from brain.testkit.embedding_server import embedding_server, vector_of


@pytest.fixture(scope="module")
def model_server():
    with embedding_server() as server:
        yield server


@pytest.fixture
def server(model_server):
    model_server.status = 200
    model_server.texts.clear()
    return model_server


@pytest.mark.parametrize("adapter", [Ollama, OpenAi])
def test_vectors_come_in_the_order_of_the_texts(server, adapter):
    embedder = adapter(Server(server.url, "m"))

    rows = embedder.embed_documents(["one two", "three"])

    wanted = np.array([vector_of("one two"), vector_of("three")], np.float32)
    assert rows == pytest.approx(wanted / np.linalg.norm(wanted, axis=1, keepdims=True))
    assert embedder.embed_query("three") == pytest.approx(rows[1])


def test_a_model_is_named_by_provider_and_dimensions():
    assert Ollama(Server("http://x", "m")).model.name == "ollama m"
    assert OpenAi(Server("http://x", "m", dimensions=512)).model.name == "openai m 512"


def test_a_busy_server_is_asked_three_times_for_documents_and_once_for_a_question(server):
    pauses = []
    embedder = OpenAi(Server(server.url, "m"), pauses.append)
    server.status = 503

    with pytest.raises(EmbeddingError, match="answered 503"):
        embedder.embed_documents(["a"])
    with pytest.raises(EmbeddingError, match="answered 503"):
        embedder.embed_query("b")

    assert server.texts == ["a", "a", "a", "b"]
    assert pauses == [0.5, 1.0]


def test_a_refusal_is_not_repeated(server):
    embedder = OpenAi(Server(server.url, "m"), lambda _: None)
    server.status = 401

    with pytest.raises(EmbeddingError, match="answered 401"):
        embedder.embed_documents(["a"])

    assert server.texts == ["a"]


def test_a_server_that_is_not_there_is_an_embedding_error():
    with pytest.raises(EmbeddingError, match="away"):
        Ollama(Server("http://127.0.0.1:9", "m")).embed_query("a")


def test_a_long_text_is_cut(server):
    OpenAi(Server(server.url, "m")).embed_documents(["a" * 9_000, ""])

    assert [len(text) for text in server.texts] == [2_000, 1]


def test_the_key_goes_to_nobody_a_server_leads_to():
    seen = []

    class Leading(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(("asked", self.headers["Authorization"]))
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def do_GET(self):
            seen.append((self.path, self.headers["Authorization"]))
            self.send_error(404)

        def log_message(self, *_):
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Leading) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        with pytest.raises(EmbeddingError, match="404"):
            OpenAi(Server(url, "m", api_key="s3cret")).embed_query("a")
        server.shutdown()
        thread.join()

    assert seen == [("asked", "Bearer s3cret"), ("/elsewhere", None)]
