"""The edge: what is refused before any route sees it, whatever the framework would accept."""

import re
from typing import cast
from urllib.parse import parse_qsl, unquote_to_bytes

import msgspec
from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

from brain.read_api.bodies import judge_body
from brain.read_api.refusal import EdgeRefusal

MOST_BODY_BYTES = 1024 * 1024
_LONGEST_PATH = 2 * 1024
_LONGEST_QUERY = 16 * 1024
_MOST_PARAMETERS = 50
_WHOLE_NUMBERS = frozenset(
    {"depth", "offset", "limit", "fromLine", "maxTokens", "k", "top_k", "max_tokens"}
)
_NUMBER = re.compile(r"-?[0-9]{1,9}")


#: Sent with every answer: nothing is sniffed, framed or passed on to whoever is linked to.
_SAFETY = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
)


def judge_path(raw: bytes) -> EdgeRefusal | None:
    """Refuse paths that are too long, not UTF-8 or hold control characters."""
    if len(raw) > _LONGEST_PATH:
        return EdgeRefusal(414, "uri-too-long", "The path is longer than 2 KiB.")
    try:
        path = unquote_to_bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return EdgeRefusal(400, "bad-request", "The path is not valid UTF-8.")
    if any(character < " " or character == "\x7f" for character in path):
        return EdgeRefusal(400, "bad-request", "The path holds a control character.")
    return None


def judge_query(raw: bytes) -> EdgeRefusal | None:
    """Refuse query strings that are too long, not UTF-8, hold NUL, repeat a name or miscount."""
    if len(raw) > _LONGEST_QUERY:
        return EdgeRefusal(414, "uri-too-long", "The query string is longer than 16 KiB.")
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except (UnicodeDecodeError, ValueError):
        return EdgeRefusal(400, "bad-request", "The query string is not valid UTF-8, or too long.")
    if any("\0" in text for pair in pairs for text in pair):
        return EdgeRefusal(400, "bad-request", "The query string holds a NUL.")
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        return EdgeRefusal(400, "bad-request", "A parameter is given twice.")
    for name, text in pairs:
        if name in _WHOLE_NUMBERS and not _NUMBER.fullmatch(text):
            return EdgeRefusal(400, "bad-request", f"{name} must be a whole number.")
    return None


class EdgeGuard:
    """ASGI middleware: judges host, query and body, then replays the body to the app."""

    def __init__(self, app: ASGIApp, allowed_hosts: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = frozenset(allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] == ScopeType.HTTP:
            await self._judge(scope, receive, _safe(send))
        else:
            await self._app(scope, receive, send)

    async def _judge(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        refusal = (
            self._judge_host(headers.get(b"host", b""))
            or judge_path(scope["raw_path"])
            or judge_query(scope["query_string"])
        )
        if refusal is None and scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
            body = await _read(receive)
            if body is None:
                refusal = EdgeRefusal(413, "too-large", "The body is larger than 1 MiB.")
            else:
                refusal = judge_body(
                    headers.get(b"content-type", b"").decode("latin-1"),
                    headers.get(b"content-encoding", b"").decode("latin-1"),
                    body,
                )
                receive = _replay(body, receive)
        if refusal:
            await _refuse(refusal, send)
        else:
            await self._app(scope, receive, send)

    def _judge_host(self, host: bytes) -> EdgeRefusal | None:
        name = re.sub(r":[0-9]+$", "", host.decode("latin-1").lower())
        if "*" in self._hosts or name in self._hosts:
            return None
        return EdgeRefusal(403, "bad-host", "This host name is not served here.")


def _safe(send: Send) -> Send:
    """Add the headers that every answer carries."""

    async def safe(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_SAFETY]
        await send(message)

    return safe


async def _read(receive: Receive) -> bytes | None:
    """Return the whole body; None as soon as it is larger than allowed."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        size += len(message["body"])
        if size > MOST_BODY_BYTES:
            return None
        parts.append(message["body"])
        if not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def replay() -> HTTPReceiveMessage:
        nonlocal sent
        if sent:
            return cast("HTTPReceiveMessage", await receive())
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _refuse(refusal: EdgeRefusal, send: Send) -> None:
    body = msgspec.json.encode(
        {
            "type": f"urn:brain:problem:{refusal.code}",
            "title": refusal.code.replace("-", " ").capitalize(),
            "status": refusal.status,
            "code": refusal.code,
            "detail": refusal.detail,
        }
    )
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
    ]
    start: HTTPResponseStartEvent = {
        "type": "http.response.start",
        "status": refusal.status,
        "headers": headers,
    }
    end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": body, "more_body": False}
    await send(start)
    await send(end)
