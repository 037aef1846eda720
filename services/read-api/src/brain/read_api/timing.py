"""Timing: counts and times every request by its route, never by what a caller chose."""

import time

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from brain.telemetry.metrics import REQUEST_SECONDS, REQUESTS


class RequestTimer:
    """ASGI middleware inside the router, where the matched route is known."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Time one request from here to its first byte."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        name = _name_of(scope)

        async def observe(message: Message) -> None:
            if message["type"] == "http.response.start":
                REQUESTS.labels("rest", name, message["status"]).inc()
                REQUEST_SECONDS.labels("rest", name).observe(time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, observe)


def _name_of(scope: Scope) -> str:
    handler = scope.get("route_handler")
    return getattr(handler, "handler_name", None) or "unknown"
