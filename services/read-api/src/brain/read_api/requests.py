"""The edge: what is refused before any route sees it, whatever the framework would accept."""

import re
from typing import cast
from urllib.parse import parse_qsl

import msgspec
from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Receive,
    Scope,
    Send,
)

MOST_BODY_BYTES = 1024 * 1024
_DEEPEST_JSON = 64
_LONGEST_QUERY = 16 * 1024
_MOST_PARAMETERS = 50
_WHOLE_NUMBERS = frozenset({"depth", "offset", "limit", "fromLine", "maxTokens"})
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class RequestError(Exception):
    """The request cannot be understood."""


class EdgeRefusal(msgspec.Struct, frozen=True):
    """A refusal with its status."""

    status: int
    code: str
    detail: str


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


def judge_body(content_type: str, body: bytes) -> EdgeRefusal | None:
    """Refuse bodies that are no JSON by their own account, or nested beyond reason."""
    if not body:
        return None
    if content_type.split(";", maxsplit=1)[0].strip().lower() != "application/json":
        return EdgeRefusal(415, "unsupported-media-type", "Send JSON as application/json.")
    if _depth(body) > _DEEPEST_JSON:
        return EdgeRefusal(400, "bad-request", f"The body nests deeper than {_DEEPEST_JSON}.")
    if b"\\u0000" in body:
        return EdgeRefusal(400, "bad-request", "The body holds a NUL.")
    return None


def _depth(body: bytes) -> int:
    """Return how deep brackets nest outside strings; one scan, no recursion."""
    deepest = depth = 0
    in_string = escaped = False
    for byte in body:
        if in_string:
            if escaped:
                escaped = False
            elif byte == 0x5C:  # noqa: PLR2004 - a backslash
                escaped = True
            elif byte == 0x22:  # noqa: PLR2004 - a quote
                in_string = False
        elif byte == 0x22:  # noqa: PLR2004 - a quote
            in_string = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


class EdgeGuard:
    """ASGI middleware: judges host, query and body, then replays the body to the app."""

    def __init__(self, app: ASGIApp, allowed_hosts: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = frozenset(allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] == ScopeType.HTTP:
            await self._judge(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _judge(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        refusal = self._judge_host(headers.get(b"host", b"")) or judge_query(scope["query_string"])
        if refusal is None and scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
            body = await _read(receive)
            if body is None:
                refusal = EdgeRefusal(413, "too-large", "The body is larger than 1 MiB.")
            else:
                content_type = headers.get(b"content-type", b"").decode("latin-1")
                refusal = judge_body(content_type, body)
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
