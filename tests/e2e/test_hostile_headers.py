"""Whatever verb, target, host or header is sent: typed refusals, and nothing opens."""

import gzip
from urllib.parse import quote

import pytest

from brain.testkit.raw_http import raw_request

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/msgpack",
        "application/yaml",
        "application/jsonp",
        "\xff",
    ],
)
def test_a_body_that_is_not_called_json_is_refused(ask, content_type):
    headers = {"Content-Type": content_type} if content_type else {}

    answer = ask("POST", "/api/tokens", headers, b'{"name": "x"}')

    assert answer.status == 415


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity, gzip"])
def test_compressed_bodies_are_refused(ask, encoding):
    body = gzip.compress(b'{"name": "' + b"x" * 10_000_000 + b'"}')

    answer = ask(
        "POST",
        "/api/tokens",
        {"Content-Type": "application/json", "Content-Encoding": encoding},
        body,
    )

    assert answer.status == 415


@pytest.mark.parametrize(
    "method", ["HEAD", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "QUERY", "PUT", "DELETE"]
)
@pytest.mark.parametrize(
    "target",
    [
        "/api/projects/handbook/brain/tree",
        "/healthz",
        "/metrics",
        "/nosuch",
        "/api/tokens",
        "/api/docs",
        "/api/projects/handbook/brain/events",
    ],
)
def test_verbs_that_a_route_does_not_have(ask, method, target):
    answer = ask(method, target)

    assert answer.status in (204, 401, 403, 404, 405)


def test_a_verb_in_a_header_changes_nothing(ask):
    for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        assert ask("GET", "/api/projects/handbook/brain", {name: "DELETE"}).status == 200


@pytest.mark.parametrize(
    "target",
    [
        "/api/projects/",
        "/api/projects//",
        "//api/projects",
        "/api//projects",
        "/api/projects/handbook/brain/tree/",
        "/api/projects/handbook/brain/../brain",
        "/api/./projects",
        "/%61pi/projects",
        "/api/projects/handbook%2fbrain",
        "/API/projects",
        "/api/projects?",
        "/api/projects?&&&",
        "/api/projects?=",
        "/api/projects?a",
        "/",
        "/favicon.ico",
        "/.git/config",
        "/.env",
        "/static/../../etc/passwd",
        "/api/docs/assets/../../../../etc/passwd",
        "/api/docs/assets/..%2f..%2f..%2fetc%2fpasswd",
        "/api/docs/assets/%2e%2e/%2e%2e/etc/passwd",
        "/api/docs/assets//etc/passwd",
        "http://elsewhere.invalid/api/projects",
        "/api/projects#x",
        "*",
    ],
)
def test_unusual_targets(ask, target):
    assert ask("GET", target).status in (200, 307, 400, 401, 403, 404, 405)


@pytest.mark.parametrize(
    "host",
    [
        "evil.invalid",
        "",
        "127.0.0.1.evil.invalid",
        "127.0.0.1@evil.invalid",
        "[::2]",
        "localhost.",
        "127.0.0.1:80:80",
        "\xff",
        "a" * 3_000,
    ],
)
def test_other_host_names_are_not_served(ask, host):
    for target in ("/api/projects", "/healthz", "/api/docs", "/nosuch"):
        assert ask("GET", target, {"Host": host}).status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer x"},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "Bearer " + "x" * 8_000},
        {"Authorization": "Bearer \xff\xfe"},
        {"Authorization": "Bearer a b c"},
    ],
)
def test_bad_credentials_are_401_with_a_challenge(ask, headers):
    answer = ask("GET", "/api/projects", headers)

    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.invalid"},
        {"Origin": "null"},
        {"Accept": "text/html"},
        {"Accept": "application/xml;q=x"},
        {"Accept-Encoding": "br;q=1.0, *;q=x"},
        {"Range": "bytes=0-0,5-9999999999999"},
        {"If-None-Match": "*"},
        {"Cookie": "a=b; " * 500},
        {"X-Forwarded-Host": "evil.invalid", "X-Forwarded-For": "1.2.3.4"},
        {"traceparent": "00-zz-zz-zz", "tracestate": "x" * 5_000},
        {"Expect": "100-continue"},
        {"Upgrade": "websocket", "Connection": "Upgrade"},
    ],
)
def test_headers_open_nothing(ask, headers):
    headers = {"Connection": "close", **headers}
    if "Upgrade" in headers:
        headers["Connection"] = "close"

    answer = ask("GET", "/api/projects/handbook/brain/tree", headers)

    assert answer.status in (200, 400, 406)
    assert "access-control-allow-origin" not in answer.headers


def test_no_token_is_taken_from_the_address(instance, handbook):
    token = quote(instance.reach["token"])
    for name in ("token", "access_token", "authorization"):
        answer = raw_request(instance.reach["restUrl"], "GET", f"/api/projects?{name}={token}")
        assert answer.status == 401
