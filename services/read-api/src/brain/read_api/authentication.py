"""Authentication: a bearer token becomes a principal, and every route says what it needs.

A route without a declared need is refused: nothing is open because somebody forgot.
"""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from brain.access.principal import (
    NotPermittedError,
    Permission,
    Principal,
    require,
    require_project,
)
from brain.query.authenticator import Authenticator

#: Key of a route's ``opt``: ``PUBLIC``, or the permissions it needs besides project access.
NEEDS = "needs"
PUBLIC = "public"


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Check a request against what its route declared; runs before every route.

    Raises:
        UnknownPrincipalError, NoAccessError, NotPermittedError: as the table of problems says.
    """
    needs = handler.opt.get(NEEDS)
    if needs == PUBLIC:
        return
    authenticator: Authenticator = connection.app.state.authenticator
    principal = await authenticator.principal_of(connection.headers.get("authorization", ""))
    connection.scope["user"] = principal
    if not isinstance(needs, tuple):
        raise NotPermittedError("admin")
    project_id = connection.path_params.get("project_id") or connection.query_params.get(
        "projectId"
    )
    if isinstance(project_id, str):
        require_project(principal, project_id, *needs)
    else:
        require(principal, *needs)
        _require_unlimited(principal, needs)


def _require_unlimited(principal: Principal, needs: tuple[Permission, ...]) -> None:
    """Refuse an administrator of some projects what concerns all: other tokens, new projects."""
    if "admin" in needs and principal.projects is not None:
        raise NotPermittedError("admin")


def needs(*permissions: Permission) -> dict[str, Any]:
    """Declare what a route needs; without permissions, access to its project."""
    return {NEEDS: permissions}


def public() -> dict[str, Any]:
    """Declare that a route shows nothing of any project and needs no token."""
    return {NEEDS: PUBLIC}


def principal_of(request: Request[Any, Any, Any]) -> Principal:
    """Return who asks; the guard has put it there."""
    principal: Principal = request.scope["user"]
    return principal
