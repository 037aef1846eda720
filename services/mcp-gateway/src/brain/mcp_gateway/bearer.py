"""The gate before every MCP request: a token that is known, or 401."""

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from brain.access.principal import UnknownPrincipalError
from brain.mcp_gateway.server import PRINCIPAL
from brain.query.authenticator import Authenticator
from brain.store.errors import StoreUnavailableError


class BearerGate:
    """ASGI middleware: puts the principal into the scope, or answers 401 or 503."""

    def __init__(self, app: ASGIApp, authenticator: Authenticator) -> None:
        self._app = app
        self._authenticator = authenticator

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit a request, or refuse it."""
        headers = dict(scope["headers"])
        authorization = headers.get(b"authorization", b"").decode("latin-1")
        try:
            principal = await self._authenticator.principal_of(authorization)
        except UnknownPrincipalError as error:
            challenge = (b"www-authenticate", b'Bearer realm="brain", error="invalid_token"')
            await _refuse(send, 401, "unauthenticated", str(error), challenge)
        except StoreUnavailableError as error:
            retry = (b"retry-after", b"2")
            await _refuse(send, 503, "database-unavailable", str(error), retry)
        else:
            scope[PRINCIPAL] = principal  # type: ignore[literal-required]
            await self._app(scope, receive, send)


async def _refuse(
    send: Send, status: int, code: str, detail: str, header: tuple[bytes, bytes]
) -> None:
    body = msgspec.json.encode(
        {
            "type": f"urn:brain:problem:{code}",
            "title": code.replace("-", " ").capitalize(),
            "status": status,
            "code": code,
            "detail": detail,
        }
    )
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        header,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
