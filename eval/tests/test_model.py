"""A model behind a chat endpoint of our own."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import httpx
import pytest

from brain.assessment.golden import Question
from brain.evaluation.model import ModelChooser, ModelError
from brain.evaluation.navigation import Glance, Page, walk
from brain.evaluation.navigator import Range, Shown


class Endpoint(BaseHTTPRequestHandler):
    """Replies with the number of the line that holds a word, or as it is told."""

    asked: ClassVar[list[dict]] = []
    reply: ClassVar[str | None] = None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        lines = body["messages"][1]["content"].splitlines()
        found = next((line for line in lines if "hidden" in line), "1.")
        text = self.reply if self.reply is not None else f"Number {found.partition('.')[0]}."
        answer = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint():
    server = HTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Endpoint.asked, Endpoint.reply = [], None
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


async def look(glance: Glance) -> Page | None:
    tree = {"/": [Shown("sync.md"), Shown("b.md", summary="hidden"), Shown("c.md")]}
    return Page(glance.node, tree.get(glance.node, []), None, 100)


async def test_a_model_walks(endpoint):
    async with httpx.AsyncClient() as http:
        chooser = ModelChooser(http, endpoint, "small", "sync")
        went = await walk(Question("q", "sync", ["b.md"]), look, chooser=chooser)

    assert went.opened == ["/", "b.md"]
    assert Endpoint.asked[0]["model"] == "small"
    assert "2. b.md hidden" in Endpoint.asked[0]["messages"][1]["content"]


async def test_a_reply_without_a_choice_falls_back_on_the_rule(endpoint):
    Endpoint.reply = "I do not know."
    async with httpx.AsyncClient() as http:
        chooser = ModelChooser(http, endpoint, "small", "sync")
        went = await walk(Question("q", "sync", ["sync.md"]), look, chooser=chooser)

    assert went.opened == ["/", "sync.md"]


async def test_an_endpoint_that_is_away_is_named():
    async with httpx.AsyncClient() as http:
        chooser = ModelChooser(http, "http://127.0.0.1:9/v1", "small", "sync")
        with pytest.raises(ModelError, match=r"127\.0\.0\.1:9"):
            await chooser.choose([Range("a.md", 0), Range("b.md", 0)])
