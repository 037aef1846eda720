"""Documents below ``/api/docs``, where the API's documentation stands as well."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

_PLACE = "/api/docs/"
_ROUTE = "/api/documents/"


class DocumentPaths:
    """ASGI middleware: what ends like Markdown is a document, everything else documentation."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead a request for a document to its route."""
        if scope["type"] == ScopeType.HTTP and is_document(scope["path"]):
            path = _ROUTE + scope["path"].removeprefix(_PLACE)
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)


def is_document(path: str) -> bool:
    """Tell whether a path below the documentation names a document."""
    return path.startswith(_PLACE) and path.lower().endswith(".md")
