"""The process that embeds questions: ``python -P -m brain.embedding.child``.

It reads requests from its standard input and answers on its standard output, one after another, and
ends when its input does. A process of its own because weights take a hundred megabytes that a
server should not keep while nobody asks.
"""

import sys
from typing import BinaryIO

import msgspec

from brain.embedding.embedder import EmbeddingError
from brain.embedding.providers import load
from brain.embedding.settings import Settings

LENGTH_BYTES = 4


class Answer(msgspec.Struct, frozen=True):
    """A vector as float32, little-endian, or why there is none."""

    vector: bytes = b""
    problem: str = ""


def main() -> None:
    """Take the settings, then questions."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    first = read_frame(requests)
    if first is None:
        return
    try:
        embedder = load(msgspec.msgpack.decode(first, type=Settings), threads=1)
    except EmbeddingError as error:
        write_frame(answers, msgspec.msgpack.encode(Answer(problem=str(error))))
        return
    write_frame(answers, msgspec.msgpack.encode(Answer()))
    while (question := read_frame(requests)) is not None:
        try:
            vector = embedder.embed_query(question.decode("utf-8", "replace"))
            answer = Answer(vector.astype("<f4").tobytes())
        except EmbeddingError as error:
            answer = Answer(problem=str(error))
        write_frame(answers, msgspec.msgpack.encode(answer))


def read_frame(stream: BinaryIO) -> bytes | None:
    """Read one message; None at the end."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    return data if len(data) == size else None


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """Write one message."""
    stream.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    stream.flush()


if __name__ == "__main__":
    main()
