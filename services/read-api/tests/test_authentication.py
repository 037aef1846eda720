"""Every route says what it needs; what says nothing is closed."""

from pathlib import Path

import pytest

from brain.access.principal import NotPermittedError, Principal
from brain.read_api.app import create_app
from brain.read_api.authentication import NEEDS, PUBLIC, _require_unlimited
from brain.read_api.settings import Settings

#: How handlers name their dependencies changes with the framework's next major version.
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

PUBLIC_ROUTES = {
    "/healthz",
    "/api/health",
    "/readyz",
    "/metrics",
    "/api/docs/assets/{file_path:path}",
}


ELSEWHERE = "brain.invalid"


class Undressed:
    authenticator = None


def handlers(host: str):
    app = create_app(Undressed(), Settings("", "", Path(), host=host), None)
    for route in app.routes:
        for handler in route.route_handlers:
            if handler.http_methods != {"OPTIONS"}:
                yield route.path, handler.opt.get(NEEDS)


def test_every_route_declares_its_need():
    undeclared = [path for path, needs in handlers(ELSEWHERE) if needs is None]

    assert undeclared == []


def test_only_what_shows_nothing_of_a_project_is_public():
    assert {path for path, needs in handlers(ELSEWHERE) if needs == PUBLIC} == PUBLIC_ROUTES


def test_on_loopback_the_documentation_is_public_too():
    opened = {path for path, needs in handlers("127.0.0.1") if needs == PUBLIC}

    assert {path.split("/")[2] for path in opened - PUBLIC_ROUTES} == {"docs"}


def test_an_administrator_of_some_projects_may_not_do_what_concerns_all():
    limited = Principal("t", frozenset({"project.access", "admin"}), frozenset({"a"}))

    with pytest.raises(NotPermittedError):
        _require_unlimited(limited, ("admin",))
    _require_unlimited(limited, ())
    _require_unlimited(Principal("t", frozenset({"admin"})), ("admin",))
