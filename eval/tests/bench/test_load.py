import socketserver
import threading
from contextlib import contextmanager

import pytest

from brain.evaluation.bench.load import LoadError, Target, run_load

GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
BAD = b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n"


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False


@contextmanager
def server(*answers):
    """Answer the requests of a connection with some bytes in turns; None closes it."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            number = 0
            while self.request.recv(4_096):
                answer = answers[number % len(answers)]
                if answer is None:
                    return
                self.request.sendall(answer[:9])
                self.request.sendall(answer[9:])
                number += 1

    with Server(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        yield Target(listening.server_address[1], "token")
        listening.shutdown()
        thread.join()


def test_answers_and_errors_are_counted():
    with server(GOOD, BAD) as target:
        load = run_load(target, [target.get("/")], 0.2, connections=2)

    assert load.rate > 0
    assert abs(load.errors - len(load.latencies_s) / 2) <= 2


def test_a_closed_connection_is_no_answer():
    with server(GOOD, None) as target, pytest.raises(LoadError, match="closed"):
        run_load(target, [target.get("/")], 5, connections=1)


def test_an_answer_without_a_length_cannot_be_measured():
    with server(b"HTTP/1.1 200 OK\r\n\r\n") as target, pytest.raises(LoadError, match="length"):
        run_load(target, [target.get("/")], 5, connections=1)


def test_a_request_says_all_that_http_needs():
    assert Target(7700, "secret").post("/mcp", {"a": 1}) == (
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:7700\r\nAuthorization: Bearer secret\r\n"
        b"Accept: application/json, text/event-stream\r\nContent-Length: 7\r\n"
        b'Content-Type: application/json\r\n\r\n{"a":1}'
    )
