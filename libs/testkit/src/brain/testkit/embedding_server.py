"""A model that answers as OpenAI does: a vector of the words a text holds, always the same."""

import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import override

DIMENSIONS = 64
#: Words that mean the same to this model.
SAME = {"refund": "money", "reimburse": "money", "iade": "money"}


class EmbeddingServer:
    """Where it listens, what it was asked, and how it answers."""

    def __init__(self, url: str) -> None:
        self.url = url
        #: Every text it was asked for, in order.
        self.texts: list[str] = []
        #: Answered instead of vectors when it is not 200.
        self.status = 200
        #: Answers wait for it.
        self.may_answer = threading.Event()
        self.may_answer.set()


def vector_of(text: str) -> list[float]:
    """Count a text's words into the dimensions, by what they mean."""
    vector = [0.0] * DIMENSIONS
    for word in "".join(each if each.isalnum() else " " for each in text.lower()).split():
        vector[zlib.crc32(SAME.get(word, word).encode()) % DIMENSIONS] += 1.0
    return vector if any(vector) else [1.0] * DIMENSIONS


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """Serve on a free port for as long as the context is open."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.texts += body["input"]
            server.may_answer.wait(30)
            rows = [vector_of(text) for text in body["input"]]
            # the last first: an order that a client must not rely on
            data = [{"index": number, "embedding": row} for number, row in enumerate(rows)][::-1]
            answer = json.dumps({"data": data, "embeddings": rows}).encode()
            self.send_response(server.status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        @override
        def log_message(self, *_: Any) -> None:
            return

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = EmbeddingServer(f"http://127.0.0.1:{listening.server_port}")
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.may_answer.set()
        listening.shutdown()
        thread.join()
        listening.server_close()
