"""Embedders behind HTTP: Ollama, and whatever answers as OpenAI does."""

import http.client
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from brain.embedding.embedder import EmbeddingError, Model, Vectors, first, normalised

#: Tried again after these answers, as often, after so long at first; it doubles.
_RETRIED = frozenset({429, 500, 502, 503, 504})
_TRIES = 3
_FIRST_PAUSE_S = 0.5
_MOST_ANSWER_BYTES = 64 * 1024 * 1024
#: Models behind HTTP have limits of their own; about 512 tokens are within all of them.
_MOST_CHARS = 2_000


class Server(msgspec.Struct, frozen=True):
    """Where a model is served."""

    url: str
    model: str
    api_key: str = ""
    #: Asked for, where the server lets one choose; 0 takes what comes.
    dimensions: int = 0
    batch_size: int = 32
    timeout_s: float = 30.0
    unrelated_cosine: float = 0.0

    def named(self, provider: str) -> Model:
        """Return the model, named so that no other provider's is taken for it."""
        dimensions = f" {self.dimensions}" if self.dimensions else ""
        return Model(f"{provider} {self.model}{dimensions}", self.dimensions, self.unrelated_cosine)


class Ollama:
    """A model that Ollama serves."""

    def __init__(self, server: Server, pause: Callable[[float], None] = time.sleep) -> None:
        self._server = server
        self._pause = pause
        self.model = server.named("ollama")

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Ask for all texts at once."""
        body = {"model": self._server.model, "input": _cut(texts), "truncate": True}
        answer = _asked(self._server, "/api/embed", body, self._pause)
        return normalised(answer.get("embeddings"), len(texts))

    def embed_query(self, text: str) -> Vectors:
        """Ask for a question, once: who waits for it does not wait for long."""
        body = {"model": self._server.model, "input": _cut([text]), "truncate": True}
        return first(normalised(_asked(self._server, "/api/embed", body).get("embeddings"), 1))


class OpenAi:
    """A model behind ``POST /embeddings`` as OpenAI defines it."""

    def __init__(self, server: Server, pause: Callable[[float], None] = time.sleep) -> None:
        self._server = server
        self._pause = pause
        self.model = server.named("openai")

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Ask for all texts at once."""
        return self._embed(texts, self._pause)

    def embed_query(self, text: str) -> Vectors:
        """Ask for a question, once: who waits for it does not wait for long."""
        return first(self._embed([text], None))

    def _embed(self, texts: Sequence[str], pause: Callable[[float], None] | None) -> Vectors:
        body: dict[str, Any] = {"model": self._server.model, "input": _cut(texts)}
        if self._server.dimensions:
            body["dimensions"] = self._server.dimensions
        answer = _asked(self._server, "/embeddings", body, pause)
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            return normalised([row["embedding"] for row in rows], len(texts))
        except (KeyError, TypeError) as error:
            raise EmbeddingError("The model answered with something else than vectors.") from error


def _cut(texts: Sequence[str]) -> list[str]:
    # some servers refuse a text that is empty
    return [text[:_MOST_CHARS] or " " for text in texts]


def _asked(
    server: Server,
    path: str,
    body: Mapping[str, Any],
    pause: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Post and return the answer; without *pause* it is tried once."""
    for attempt in range(1, _TRIES + 1):
        try:
            return _posted(server, path, body)
        except urllib.error.HTTPError as error:
            error.close()
            if pause is None or error.code not in _RETRIED or attempt == _TRIES:
                raise EmbeddingError(f"The model's server answered {error.code}.") from error
        except (OSError, http.client.HTTPException) as error:
            if pause is None or attempt == _TRIES:
                raise EmbeddingError(f"The model's server is away: {error}.") from error
        pause(_FIRST_PAUSE_S * 2 ** (attempt - 1))
    raise AssertionError


def _posted(server: Server, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310 - the settings allow http and https alone
        server.url.rstrip("/") + path,
        data=json.dumps(body).encode("utf-8", "replace"),
        headers={"Content-Type": "application/json"},
    )
    if server.api_key:
        # not for whoever the server may lead to
        request.add_unredirected_header("Authorization", f"Bearer {server.api_key}")
    context = ssl.create_default_context() if server.url.startswith("https") else None
    with urllib.request.urlopen(  # noqa: S310 - as above
        request, timeout=server.timeout_s, context=context
    ) as answer:
        data = answer.read(_MOST_ANSWER_BYTES)
    try:
        found = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise EmbeddingError("The model's server did not answer in JSON.") from error
    if not isinstance(found, dict):
        raise EmbeddingError("The model's server answered with something unknown.")
    return found
