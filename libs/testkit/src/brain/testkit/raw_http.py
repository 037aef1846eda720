"""HTTP as bytes: requests that no client library would send, and the answers as they came."""

import socket
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

_TIMEOUT_S = 40.0
_HEAD_END = b"\r\n\r\n"


class RawAnswer(NamedTuple):
    """What came back; header names in lower case, the last of a name."""

    status: int
    headers: dict[str, str]
    body: bytes


def raw_request(
    url: str,
    method: str,
    target: str | bytes,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> RawAnswer:
    """Send one request as it is written and read the answer; of an endless one, the head alone.

    Args:
        url: where the server listens; its path is not used.
        method: the verb, whatever it is.
        target: the request target, sent unchanged.
        headers: added to ``Host``, ``Connection`` and ``Content-Length``, or in their place.
        body: sent unchanged.
    """
    place = urlsplit(url)
    host, port = str(place.hostname), place.port or 80
    sent = {"Host": f"{host}:{port}", "Connection": "close", **(headers or {})}
    if body and "Transfer-Encoding" not in sent:
        sent.setdefault("Content-Length", str(len(body)))
    raw_target = target if isinstance(target, bytes) else target.encode("latin-1")
    head = method.encode() + b" " + raw_target + b" HTTP/1.1\r\n"
    head += b"".join(f"{name}: {text}\r\n".encode("latin-1") for name, text in sent.items())
    with socket.create_connection((host, port), timeout=_TIMEOUT_S) as connection:
        connection.sendall(head + b"\r\n" + body)
        return _read(connection)


def _read(connection: socket.socket) -> RawAnswer:
    data = b""
    while _HEAD_END not in data:
        data += _more(connection)
    head, _, body = data.partition(_HEAD_END)
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): text.strip() for name, _, text in pairs}
    if not headers.get("content-type", "").startswith("text/event-stream"):
        while chunk := connection.recv(65_536):
            body += chunk
    return RawAnswer(int(first.split(" ")[1]), headers, body)


def _more(connection: socket.socket) -> bytes:
    chunk = connection.recv(65_536)
    assert chunk, "the server closed the connection without an answer"
    return chunk
