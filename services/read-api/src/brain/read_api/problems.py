"""Problems: the one table from what went wrong to what a client is told. RFC 9457."""

import logging
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException

from brain.access.principal import NoAccessError, NotPermittedError, UnknownPrincipalError
from brain.events.broker import BusUnavailableError
from brain.gitmirror.ancestry import CommitAmbiguousError, CommitError, CommitUnknownError
from brain.gitmirror.branch_name import BranchNameError
from brain.gitmirror.remote import RemoteError
from brain.query import errors as query
from brain.read_api.refusal import RequestError
from brain.store import errors as store

log = logging.getLogger(__name__)

PROBLEM_TYPE = "application/problem+json"
_RETRY_S = 2


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a client is told; ``code`` is stable, ``detail`` is for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str = ""
    nearest: tuple[str, ...] = ()
    minimum: int = 0


#: Class -> (status, code, title). The first class an error is an instance of decides.
TABLE: tuple[tuple[type[Exception], int, str, str], ...] = (
    (UnknownPrincipalError, 401, "unauthenticated", "A valid token is needed"),
    (NoAccessError, 404, "not-found", "Not found"),
    (NotPermittedError, 403, "forbidden", "Not permitted"),
    (store.ProjectNotFoundError, 404, "not-found", "Not found"),
    (store.ProjectExistsError, 409, "project-exists", "The project exists already"),
    (store.StoreUnavailableError, 503, "database-unavailable", "The database is away"),
    (BusUnavailableError, 503, "bus-unavailable", "The message bus is away"),
    (query.NotBuiltError, 409, "not-built", "Not built yet"),
    (query.TurnedOffError, 409, "off", "Turned off"),
    (query.NodeNotFoundError, 404, "no-such-node", "No such node"),
    (query.BadRequestError, 400, "bad-request", "Bad request"),
    (query.IndexMovedError, 409, "index-moved", "The index moved on"),
    (query.BudgetTooSmallError, 400, "budget-too-small", "The budget is too small"),
    (query.BundleUnknownError, 404, "no-such-bundle", "No such bundle"),
    (query.BundleNotReplayableError, 409, "not-replayable", "Not replayable"),
    (query.ScopeMismatchError, 403, "scope-mismatch", "Outside the scopes"),
    (query.WaitTimedOutError, 504, "wait-timed-out", "Not indexed in time"),
    (query.AwaitedBuildFailedError, 409, "build-failed", "The build failed"),
    (query.TextUnavailableError, 503, "text-unavailable", "The text is not here yet"),
    (CommitUnknownError, 404, "no-such-commit", "No such commit"),
    (CommitAmbiguousError, 409, "ambiguous-commit", "Ambiguous commit"),
    (CommitError, 400, "bad-commit", "Bad commit"),
    (RequestError, 400, "bad-request", "Bad request"),
    (RemoteError, 400, "bad-remote", "This repository cannot be used"),
    (BranchNameError, 400, "bad-branch", "This branch cannot be followed"),
    (RecursionError, 400, "bad-request", "Bad request"),
)


def problem_of(error: Exception) -> Problem:
    """Say what a client is told about an error; what nobody foresaw is a 500 without details."""
    for kind, status, code, title in TABLE:
        if isinstance(error, kind):
            detail = str(error) if kind is not RecursionError else "The body is nested too deeply."
            return Problem(
                type=f"urn:brain:problem:{code}",
                title=title,
                status=status,
                code=code,
                detail=detail,
                nearest=getattr(error, "nearest", ()),
                minimum=getattr(error, "minimum", 0),
            )
    return Problem("about:blank", "Internal error", 500, "internal", "It was logged.")


def answer_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Turn any error into a problem document."""
    if isinstance(error, HTTPException):
        return _respond(_framework_problem(error), error.headers)
    problem = problem_of(error)
    if problem.code == "internal":
        log.error("request failed", exc_info=error, extra={"path": request.url.path})
    headers = {"Retry-After": str(_RETRY_S)} if problem.status == 503 else None  # noqa: PLR2004
    if problem.status == 401:  # noqa: PLR2004
        headers = {"WWW-Authenticate": 'Bearer realm="brain"'}
    return _respond(problem, headers)


def _framework_problem(error: HTTPException) -> Problem:
    codes = {401: "unauthenticated", 403: "forbidden", 404: "not-found", 405: "method-not-allowed"}
    detail = error.detail
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        parts = (f"{each.get('key')}: {each.get('message')}" for each in error.extra)
        detail = "; ".join(parts) or detail
    status = error.status_code
    code = codes.get(status, "bad-request" if status < 500 else "internal")  # noqa: PLR2004
    title = "Bad request" if code == "bad-request" else code.replace("-", " ").capitalize()
    return Problem(f"urn:brain:problem:{code}", title, status, code, detail)


def _respond(problem: Problem, headers: dict[str, str] | None) -> Response[bytes]:
    return Response(
        msgspec.json.encode(problem),
        status_code=problem.status,
        media_type=PROBLEM_TYPE or MediaType.JSON,
        headers=headers or {},
    )
