"""Who calls, and about which project, where a route's path does not say."""

from typing import Any

from litestar import Request

from brain.query.caller import Caller, caller_of
from brain.query.chosen_project import chosen_project
from brain.read_api.authentication import principal_of
from brain.read_api.state import Api

AnyRequest = Request[Any, Any, Any]


def calling(request: AnyRequest) -> Caller:
    """Return the caller as logs and counters may know it."""
    return caller_of("rest", request.headers.get("user-agent", ""))


async def project_of(api: Api, request: AnyRequest, project_id: str) -> str:
    """Return the project a request is about; a token that sees just one need not name it.

    Raises:
        BadRequestError: none is named, and the token sees none or several.
        NoAccessError, NotPermittedError: as for a route with the project in its path.
    """
    return await chosen_project(api.reader, principal_of(request), project_id, "project")
