"""Whatever is sent to any route: never an unforeseen 5xx, always a typed problem, no leak."""

from urllib.parse import urlencode

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

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
