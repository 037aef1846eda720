"""Health: liveness asks nothing of others, readiness asks the database and the bus."""

from typing import Any

import msgspec
from litestar import Request, Response, get

from brain.access.principal import UnknownPrincipalError
from brain.read_api.authentication import public
from brain.read_api.state import Api
from brain.store.pool import is_reachable
from brain.telemetry.metrics import CONTENT_TYPE, render


class Health(msgspec.Struct, frozen=True):
    """Whether the process lives."""

    status: str = "ok"


class Readiness(msgspec.Struct, frozen=True):
    """Whether requests can be answered, and by what not."""

    ready: bool
    database: bool
    bus: bool


@get("/healthz", opt=public(), tags=["health"])
async def live() -> Health:
    """Say that the process lives."""
    return Health()


@get("/api/health", opt=public(), tags=["health"])
async def health() -> Health:
    """Say that the process lives."""
    return Health()


@get("/readyz", opt=public(), tags=["health"])
async def ready(api: Api) -> Response[Readiness]:
    """Say whether database and bus answer; 503 when not."""
    database = await is_reachable(api.pool)
    bus = await api.broker.ping(timeout=1.0)
    readiness = Readiness(database and bus, database, bus)
    return Response(readiness, status_code=200 if readiness.ready else 503)


@get("/metrics", opt=public(), include_in_schema=False)
async def metrics(api: Api, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give all metrics in Prometheus text format; a token is needed when so configured."""
    if api.metrics_need_token:
        principal = await api.authenticator.principal_of(request.headers.get("authorization", ""))
        if not principal.may("admin"):
            raise UnknownPrincipalError
    return Response(render(), media_type=CONTENT_TYPE)
