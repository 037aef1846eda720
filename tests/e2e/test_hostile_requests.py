"""Whatever is sent to any route: never an unforeseen 5xx, always a typed problem, no leak."""

import gzip
import json
from urllib.parse import quote, urlencode

import pytest

from brain.testkit.raw_http import raw_request

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

PROBLEM = "application/problem+json"
CODES = {
    "bad-branch",
    "bad-commit",
    "no-such-commit",
    "bad-host",
    "bad-remote",
    "bad-request",
    "budget-too-small",
    "bus-unavailable",
    "forbidden",
    "method-not-allowed",
    "no-such-bundle",
    "no-such-node",
    "not-found",
    "scope-mismatch",
    "too-large",
    "unauthenticated",
    "unsupported-media-type",
    "uri-too-long",
}

PROJECT_ROUTES = {
    "tree": ("node", "depth", "offset", "limit", "words", "cursor", "waitFor"),
    "node": ("node", "scope", "fromLine", "waitFor"),
    "lookup": ("q", "waitFor"),
    "grep": ("text", "under", "ignoreCase", "phrase", "space", "label", "waitFor"),
    "search": ("q", "mode", "k", "scopes", "labels", "under", "status", "explain", "waitFor"),
    "outline": ("under",),
    "changes": ("since", "under"),
    "cite": ("path", "lines", "commit"),
    "broken": ("causesFrom", "causes"),
    "backlinks": ("node", "offset", "limit"),
    "scopes": ("x",),
    "gaps": ("limit",),
    "stats": ("x",),
}
MEMBER_ROUTES = {
    "tree": ("projectId", "node", "depth", "offset", "limit", "words", "cursor"),
    "read": ("projectId", "node", "scope", "fromLine"),
    "lookup": ("projectId", "query"),
    "grep": ("projectId", "text", "under", "ignoreCase"),
}
PLAIN_ROUTES = {
    "search": ("project", "q", "max_tokens", "top_k", "scopes", "paths"),
    "documents/README.md": ("project", "scopes"),
    "docs/README.md": ("project", "scopes"),
    "scopes": ("project",),
    "stats": ("project",),
    "gaps": ("project", "limit"),
}
NEEDED = {
    "search": {"q": "change"},
    "lookup": {"q": "a", "query": "a"},
    "grep": {"text": "agree"},
    "changes": {"since": "abcdef0"},
    "cite": {"path": "README.md", "lines": "1", "commit": "abcdef0"},
    "backlinks": {"node": "README.md"},
}

#: Values as they stand in a query string, percent-encoded where they are.
TEXTS = [
    "",
    "%00",
    "a%00b",
    "%ff",
    "%c0%af",
    "%ed%a0%80",
    "%F4%90%80%80",
    "%",
    "%zz",
    "%25%30%30",
    "..",
    "../",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f",
    "%252e%252e%252f",
    "..%5c..%5c",
    "/etc/passwd",
    "%2F%2F",
    "C:%5C",
    "file:///etc/passwd",
    "README.md/",
    "README.md%23",
    "README.md%23%23",
    "%23",
    "rules/%23",
    "rules//review.md",
    "./README.md",
    "RULES/REVIEW.MD",
    "__proto__",
    "constructor",
    "%22",
    "'",
    "%5c",
    "%25",
    "_",
    "*",
    "(a%2B)%2B%24",
    "'%20or%201=1--",
    "%3B%20drop%20table%20knowledge.source",
    "%24%7Bjndi:ldap://x%7D",
    "%7B%7B7*7%7D%7D",
    "%3Cscript%3E",
    "%0d%0aSet-Cookie:%20a=b",
    "%1b%5b31m",
    "%e2%80%ae",
    "%f3%a0%81%81",
    "%ef%bb%bf",
    "%e2%80%a8",
    "%F0%9F%92%A9" * 40,
    "%cc%81" * 300,
    "x" * 5_000,
    "%41" * 4_000,
    "null",
    "true",
    "NaN",
    "[]",
    "{}",
    "1e3",
    "-1",
    "0",
    "1.0",
    "1_0",
    "+1",
    "%201",
    "0x10",
    "1" + "0" * 70,
    "%D9%A1",
    "%EF%BC%91",
    "-0",
    "999999999999z",
]
SEGMENTS = [
    "%00",
    "a%00",
    "%ff",
    "%ed%a0%80",
    "..",
    "%2e%2e",
    "..%2f..",
    "%2f",
    "a%2fb",
    "%5c",
    "HANDBOOK",
    "handbook%20",
    "%20",
    "-",
    "_",
    "x" * 5_000,
    "%F0%9F%92%A9",
    "%0d%0aX:%20y",
    "handbook;a=b",
    "handbook%00",
    "handbook.json",
    "'--",
    "%25",
]
BODIES = [
    b"",
    b"null",
    b"[]",
    b"1",
    b'""',
    b"{",
    b"{}",
    b"{}{}",
    b"\x00",
    b"\xff\xfe{}",
    b'{"id": "a\\u0000b", "repo": "/x"}',
    b'{"id": "a\x00b", "repo": "/x"}',
    b'{"id": "\\ud800", "repo": "\\udfff"}',
    b'{"id": "x", "repo": "\xff"}',
    b'{"id": "x", "repo": "/x", "repo": "/y", "id": "y z"}',
    b'{"id": "x", "repo": "/x", "more": 1}',
    b'{"id": 1, "repo": 2}',
    b'{"id": ["x"], "repo": {"a": "b"}}',
    b'{"id": "../x", "repo": "ext::sh -c true"}',
    b'{"id": "x1", "repo": "fd::1"}',
    b'{"id": "x1", "repo": "-upload-pack=true"}',
    b'{"id": "x1", "repo": "https://user:secret-in-url@example.invalid/x"}',
    b'{"id": "x1", "repo": "file:///etc"}',
    b'{"id": "x1", "repo": "git://example.invalid/x"}',
    b'{"id": "x1", "repo": "https://example.invalid/x\\r\\nA: b"}',
    b'{"id": "x1", "repo": "https://example.invalid/x", "branch": "-x"}',
    b'{"id": "x1", "repo": "https://example.invalid/x", "branch": "a..b"}',
    b'{"id": "x1", "repo": ""}',
    b'{"enabled": "yes"}',
    b'{"enabled": true, "branch": "@{-1}"}',
    b'{"enabled": true, "branch": "a b"}',
    b'{"enabled": true, "branch": ""}',
    b'{"name": ""}',
    b'{"name": "\\ud800"}',
    b'{"name": "x", "permissions": ["root"]}',
    b'{"name": "x", "permissions": []}',
    b'{"name": "x", "projects": "all"}',
    b'{"name": "x", "projects": ["\\ud800"]}',
    b'{"name": "x", "expiresInDays": 1e30}',
    b'{"name": "x", "expiresInDays": 99999999999999999999}',
    b'{"name": "x", "expiresInDays": -1}',
    b'{"name": "x", "expiresInDays": NaN}',
    b'{"a":' * 10_000,
    b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    b"[" * 100_000,
    b'{"id": "' + b"x" * 500_000 + b'", "repo": "/x"}',
    b"x" * (1024 * 1024 + 1),
    b'{"id": "x", "repo": "' + b"\\u0041" * 10_000 + b'"}',
]
BODY_ROUTES = [
    ("POST", "/api/projects"),
    ("PUT", "/api/projects/handbook/brain"),
    ("POST", "/api/tokens"),
    ("POST", "/api/projects/handbook/brain/bundle"),
    ("POST", "/api/bundle"),
    ("POST", "/api/usage"),
]


@pytest.fixture(scope="module")
def ask(instance, handbook):
    """Send a request with the administrator's token and check what every answer must be."""
    reach = instance.reach

    def ask(method, target, headers=None, body=b"", kind=PROBLEM):
        sent = {"Authorization": f"Bearer {reach['token']}", **(headers or {})}
        answer = raw_request(reach["restUrl"], method, target, sent, body)
        page = answer.headers.get("content-type") == kind != PROBLEM
        if not (page and answer.status == 404):
            check(answer, method, (reach["token"], str(instance.data)))
        return answer

    return ask


def check(answer, method, secrets):
    assert answer.status < 500 or answer.status in (503, 504), answer
    text = answer.body.decode()
    # The address of a project's repository is shown to whoever sees the project.
    told = secrets if answer.status >= 400 else secrets[:1]
    for secret in (*told, "Traceback", ".py", "site-packages", "psycopg", "secret-in-url"):
        assert secret not in text, (secret, text[:300])
    assert answer.headers["x-content-type-options"] == "nosniff"
    if answer.status >= 400 and method != "HEAD":
        assert answer.headers["content-type"] == PROBLEM, answer
        problem = json.loads(text)
        assert problem["code"] in CODES, problem
        assert problem["status"] == answer.status
        assert problem["type"]
        assert problem["title"]


@pytest.mark.parametrize("route", sorted(PROJECT_ROUTES))
def test_hostile_query_values_on_project_routes(ask, route):
    for name in PROJECT_ROUTES[route]:
        for text in TEXTS:
            query = "&".join(
                f"{key}={value}" for key, value in NEEDED.get(route, {}).items() if key != name
            )
            ask("GET", f"/api/projects/handbook/brain/{route}?{name}={text}&{query}")


@pytest.mark.parametrize("route", sorted(MEMBER_ROUTES))
def test_hostile_query_values_on_member_routes(ask, route):
    for name in MEMBER_ROUTES[route]:
        for text in TEXTS:
            given = {"projectId": "handbook", **NEEDED.get(route, {})}
            given.pop(name, None)
            ask("GET", f"/api/member/v1/brain/{route}?{name}={text}&{urlencode(given)}")


@pytest.mark.parametrize("route", sorted(PLAIN_ROUTES))
def test_hostile_query_values_on_routes_without_a_project(ask, route):
    for name in PLAIN_ROUTES[route]:
        for text in TEXTS:
            given = {"project": "handbook", **NEEDED.get(route, {})}
            given.pop(name, None)
            ask("GET", f"/api/{route}?{name}={text}&{urlencode(given)}")


@pytest.mark.parametrize("segment", SEGMENTS)
def test_hostile_path_segments(ask, segment):
    for suffix in ("", "/replay"):
        ask("GET", f"/api/projects/handbook/brain/bundle/{segment}{suffix}")
    for place in ("docs", "documents"):
        ask("GET", f"/api/{place}/{segment}.md?project=handbook")
    for suffix in ("", "/tree", "/node", "/lookup?q=a", "/grep?text=ab", "/outline", "/dump"):
        ask("GET", f"/api/projects/{segment}/brain{suffix}")
    ask("GET", f"/api/projects/{segment}/brain/events")
    ask("DELETE", f"/api/projects/{segment}x")
    ask("DELETE", f"/api/tokens/{segment}")
    ask("POST", f"/api/projects/{segment}x/brain/rebuild")
    ask("GET", f"/{segment}")
    # The documentation is a page for people, and so is its 404.
    ask("GET", f"/api/docs/{segment}", kind="text/html; charset=utf-8")
    ask("GET", f"/api/docs/assets/{segment}")


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_hostile_bodies(ask, number):
    for method, target in BODY_ROUTES:
        answer = ask(method, target, {"Content-Type": "application/json"}, BODIES[number])
        assert answer.status >= 400


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
    ("query", "status"),
    [
        ("node=/&node=README.md", 400),
        ("a=" + "x" * 20_000, 414),
        ("&".join(f"p{number}=1" for number in range(60)), 400),
        ("limit=1&limit=2", 400),
        ("depth=3", 400),
        ("limit=201", 400),
        ("limit=0", 400),
        ("offset=-1", 400),
        ("offset=1e3", 400),
        ("offset=%D9%A1", 400),
        ("waitFor=HEAD", 400),
        ("waitFor=:/x", 400),
        ("waitFor=@{-1}", 400),
        ("node=absent.md", 404),
        ("words=", 400),
        ("words=%20%09", 400),
        ("words=" + "x" * 201, 400),
        ("words=" + "x" * 10_000, 400),
        ("words=%00", 400),
        ("words=%ED%A0%80", 400),
        ("words=a&words=b", 400),
        ("words=prices&offset=1", 400),
        ("words=prices&cursor=1", 400),
        ("words=prices&cursor=1-00000000-00000000", 400),
        ("cursor=1-00000000-00000000", 400),
        ("words=prices&node=absent.md", 404),
        ("words=the", 200),
        ("words=%F0%9F%99%88", 200),
        ("words=" + "x" * 200, 200),
    ],
)
def test_parameters_that_mean_nothing_are_refused(ask, query, status):
    assert ask("GET", f"/api/projects/handbook/brain/tree?{query}").status == status


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
