"""Who sees what: every route and tool, for every kind of caller, on their own and other projects.

Another project answers exactly as one that does not exist.
"""

import json

import httpx
import pytest

from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

READS = [
    "/api/projects/{id}/brain",
    "/api/projects/{id}/brain/tree",
    "/api/projects/{id}/brain/node?node=/",
    "/api/projects/{id}/brain/lookup?q=README.md",
    "/api/projects/{id}/brain/grep?text=agree",
    "/api/projects/{id}/brain/search?q=agree",
    "/api/projects/{id}/brain/outline",
    "/api/projects/{id}/brain/broken",
    "/api/projects/{id}/brain/backlinks?node=README.md",
    "/api/projects/{id}/brain/changes?since=abcdef0",
    "/api/projects/{id}/brain/cite?path=README.md&lines=1&commit=abcdef0",
    "/api/projects/{id}/brain/tree?waitFor=abcdef0",
    "/api/projects/{id}/brain/tree?node=absent.md",
    "/api/projects/{id}/brain/tree?node=README.md",
]
MEMBER_READS = [
    "/api/member/v1/brain/tree?projectId={id}",
    "/api/member/v1/brain/read?projectId={id}&node=README.md",
    "/api/member/v1/brain/lookup?projectId={id}&query=README.md",
    "/api/member/v1/brain/grep?projectId={id}&text=agree",
    "/api/member/v1/brain/broken?projectId={id}",
]
EVENTS = "/api/projects/{id}/brain/events"
MANAGED = [
    ("PUT", "/api/projects/{id}/brain", {"enabled": True}),
    ("POST", "/api/projects/{id}/brain/rebuild", None),
    ("POST", "/api/projects/{id}/brain/build", None),
    ("GET", "/api/projects/{id}/brain/dump", None),
]
ADMIN_OF_PROJECT = [("DELETE", "/api/projects/{id}", None)]
ADMIN = [
    ("POST", "/api/projects", {"id": "fresh", "repo": "/nowhere"}),
    ("GET", "/api/tokens", None),
    ("POST", "/api/tokens", {"name": "x"}),
    ("DELETE", "/api/tokens/abc", None),
]
EVERY = (
    [("GET", target, None) for target in [*READS, *MEMBER_READS, EVENTS]]
    + MANAGED
    + ADMIN_OF_PROJECT
)
TOOLS = {
    "brain_tree": {},
    "brain_read": {"node": "README.md"},
    "brain_lookup": {"query": "README.md"},
    "brain_grep": {"text": "agree"},
    "brain_search": {"query": "agree"},
    "brain_changes": {"since": "abcdef0"},
    "brain_cite": {"path": "README.md", "lineStart": 1, "lineEnd": 1, "commit": "abcdef0"},
    "brain_broken": {},
    "brain_backlinks": {"node": "README.md"},
}


class Api:
    def __init__(self, reach):
        self.base = reach["restUrl"].removesuffix("/api")

    def ask(self, token, method, target, body=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with (
            httpx.Client(base_url=self.base, timeout=60) as client,
            client.stream(method, target, headers=headers, json=body) as answer,
        ):
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                return answer.status_code, b"events"
            return answer.status_code, answer.read()

    def call(self, token, tool, arguments):
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        headers = {"Accept": "application/json, text/event-stream"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = httpx.post(f"{self.base}/mcp", json=message, headers=headers, timeout=60)
        return answer.status_code, answer.content


@pytest.fixture(scope="module")
def api(instance, handbook):
    repository = TestRepository(instance.data.parent / "other.git")
    repository.commit({"README.md": "# Other\n\nOthers agree.\n"})
    instance.json("project", "add", "other", "--repo", str(repository.path), "--wait")
    yield Api(instance.reach)
    instance.json("project", "remove", "other")


def token(instance, name, *permissions, project="handbook"):
    words = [word for each in permissions for word in ("--permission", each)]
    limits = ("--project", project) if project else ()
    return instance.json("token", "create", name, *words, *limits)["token"]


@pytest.fixture(scope="module")
def tokens(instance, api):
    return {
        "reader": token(instance, "reader", "project.access", "member.read"),
        "portal": token(instance, "portal", "project.access"),
        "manager": token(
            instance, "manager", "project.access", "member.read", "project.brain.manage"
        ),
        "admin": token(instance, "admin", "admin"),
        "nobody": token(instance, "nobody", "member.read"),
    }


@pytest.mark.parametrize(("method", "target", "body"), EVERY + ADMIN)
def test_nothing_answers_without_a_token(api, method, target, body):
    for bearer in ("", "brain_wrong", "brain_" + "x" * 43):
        status, content = api.ask(bearer, method, target.format(id="handbook"), body)
        assert status == 401
        assert json.loads(content)["code"] == "unauthenticated"


@pytest.mark.parametrize("who", ["reader", "portal", "manager", "admin", "nobody"])
@pytest.mark.parametrize(("method", "target", "body"), EVERY)
def test_another_project_answers_as_one_that_does_not_exist(api, tokens, who, method, target, body):
    other = api.ask(tokens[who], method, target.format(id="other"), body)
    absent = api.ask(tokens[who], method, target.format(id="absen"), body)

    assert other[0] == absent[0] == 404
    assert other[1].replace(b"other", b"absen") == absent[1]


@pytest.mark.parametrize("target", READS[:8])
def test_project_access_reads_the_portal(api, tokens, target):
    assert api.ask(tokens["portal"], "GET", target.format(id="handbook"))[0] == 200


@pytest.mark.parametrize("target", MEMBER_READS)
def test_member_reads_need_their_permission(api, tokens, target):
    assert api.ask(tokens["reader"], "GET", target.format(id="handbook"))[0] == 200
    assert api.ask(tokens["portal"], "GET", target.format(id="handbook"))[0] == 403


@pytest.mark.parametrize(("method", "target", "body"), MANAGED)
def test_managing_needs_its_permission(api, tokens, method, target, body):
    own = target.format(id="handbook")

    assert api.ask(tokens["reader"], method, own, body)[0] == 403
    assert api.ask(tokens["manager"], method, own, body)[0] in (200, 202)


@pytest.mark.parametrize(("method", "target", "body"), ADMIN_OF_PROJECT + ADMIN)
@pytest.mark.parametrize("who", ["reader", "portal", "manager", "nobody"])
def test_administration_needs_an_administrator(api, tokens, who, method, target, body):
    status, _ = api.ask(tokens[who], method, target.format(id="handbook"), body)

    assert status == (404 if who == "nobody" and "{id}" in target else 403)


@pytest.mark.parametrize(("method", "target", "body"), ADMIN)
def test_an_administrator_of_one_project_does_nothing_that_concerns_all(
    api, tokens, method, target, body
):
    assert api.ask(tokens["admin"], method, target, body)[0] == 403


def test_a_list_holds_what_the_token_sees(api, tokens):
    for who, seen in [("reader", ["handbook"]), ("admin", ["handbook"]), ("nobody", [])]:
        _, content = api.ask(tokens[who], "GET", "/api/projects")
        assert [each["id"] for each in json.loads(content)["projects"]] == seen
        assert b"other" not in content


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_tools_need_a_token(api, tool):
    for bearer in ("", "brain_wrong"):
        status, content = api.call(bearer, tool, {"projectId": "handbook", **TOOLS[tool]})
        assert status == 401
        assert json.loads(content)["code"] == "unauthenticated"


@pytest.mark.parametrize("who", ["reader", "portal", "manager", "admin", "nobody"])
@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_tools_show_another_project_as_one_that_does_not_exist(api, tokens, who, tool):
    for extra in ({}, {"waitFor": "abcdef0"}):
        arguments = {**TOOLS[tool], **extra}
        other = api.call(tokens[who], tool, {"projectId": "other", **arguments})
        absent = api.call(tokens[who], tool, {"projectId": "absen", **arguments})

        assert other[0] == absent[0] == 200
        assert other[1].replace(b"other", b"absen") == absent[1]
        assert json.loads(other[1])["result"]["isError"] is True


NEED_A_COMMIT = {"brain_changes", "brain_cite"}


@pytest.mark.parametrize("tool", sorted(TOOLS.keys() - NEED_A_COMMIT))
def test_tools_find_the_one_project_a_token_sees(api, tokens, tool):
    for who, refused in [("reader", False), ("portal", True), ("nobody", True)]:
        _, content = api.call(tokens[who], tool, TOOLS[tool])
        result = json.loads(content)["result"]
        assert bool(result.get("isError")) is refused
        assert b"Others agree" not in content
