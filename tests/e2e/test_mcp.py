"""The MCP endpoint: both eras, budgets, schemas, hostile arguments, and a long run."""

import asyncio
import base64
import json
import sys
from pathlib import Path

import httpx
import httpx2
import jsonschema
import pytest
from mcp.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from brain.search.tokens import estimate_tokens
from brain.testkit.raw_http import raw_request
from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

PROSE = "Every change is read by somebody who did not write it, before it is merged.\n\n"
FILES = {
    "broken.md": "# Broken\n\n" + "".join(f"[x](gone-{n}.md)\n\n" for n in range(60)),
    "README.md": "# Big\n\n" + "See [one](docs/1.md) and [two](docs/2.md).\n\n" * 3 + PROSE * 40,
    "prose.md": "# Prose\n\n" + "".join(f"## Part {n}\n\n{PROSE * 6}" for n in range(60)),
    "cjk.md": "# 文档\n\n" + "变更在合并之前必须由他人阅读。決定は記録される。\n\n" * 200,
    "türkçe.md": "# Türkçe\n\n" + "Değişiklikler birleştirilmeden önce okunmalıdır.\n\n" * 200,
    "base64.md": "# Data\n\n```\n"
    + "\n".join(base64.b64encode(bytes([n] * 57)).decode() for n in range(200))
    + "\n```\n",
    "emoji.md": "# Emoji\n\n" + "👩‍👩‍👧‍👦 🎉 ✅ 🇹🇷 \n\n" * 200,
    "code.md": "# Code\n\n```python\n"
    + 'def f(a: int) -> dict[str, "X"]:\n    return {k: v for k, v in a.items()}\n' * 80
    + "```\n",
    **{f"docs/{n}.md": f"# Document {n}\n\nWords and [home](../README.md).\n" for n in range(150)},
}
CALLS = [
    ("brain_tree", {}),
    ("brain_tree", {"node": "docs/", "depth": 2, "limit": 100}),
    ("brain_tree", {"node": "prose.md"}),
    ("brain_tree", {"words": "who reads a change before it is merged"}),
    ("brain_tree", {"node": "docs/", "words": "document words", "depth": 2}),
    ("brain_tree", {"node": "prose.md#prose", "words": "change"}),
    ("brain_tree", {"node": "docs/", "words": "nowhere-to-be-found"}),
    ("brain_read", {"node": "README.md"}),
    ("brain_read", {"node": "prose.md", "scope": "subtree"}),
    ("brain_read", {"node": "prose.md#part-3"}),
    ("brain_read", {"node": "cjk.md"}),
    ("brain_read", {"node": "türkçe.md"}),
    ("brain_read", {"node": "base64.md"}),
    ("brain_read", {"node": "emoji.md"}),
    ("brain_read", {"node": "code.md"}),
    ("brain_read", {"node": "docs/"}),
    ("brain_read", {"node": "docs/3.md"}),
    ("brain_lookup", {"query": "README.md"}),
    ("brain_lookup", {"query": "absent"}),
    ("brain_grep", {"text": "words"}),
    ("brain_grep", {"text": "change read"}),
    ("brain_grep", {"text": "nowhere-to-be-found"}),
    ("brain_search", {"query": "words that change what is read"}),
    ("brain_search", {"query": "nowhere-to-be-found", "k": 50}),
    ("brain_search", {"query": "değişiklik", "under": "türkçe.md"}),
    ("brain_changes", {"since": "FIRST"}),
    ("brain_changes", {"since": "FIRST", "under": "docs/"}),
    ("brain_cite", {"path": "README.md", "lineStart": 1, "lineEnd": 3, "commit": "FIRST"}),
    ("brain_broken", {}),
    ("brain_backlinks", {"node": "README.md", "limit": 100}),
    ("brain_backlinks", {"node": "prose.md"}),
]
BUDGETS = [*range(0, 400, 23), *range(400, 3_000, 217), 4_000, 6_000, 9_000, 14_000, 20_000]


class Mcp:
    def __init__(self, reach):
        self.url = reach["mcpUrl"]
        self.client = httpx.Client(
            headers={
                "Authorization": f"Bearer {reach['token']}",
                "Accept": "application/json, text/event-stream",
            },
            timeout=60,
        )

    def post(self, method, params=None, **headers):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return self.client.post(self.url, json=message, headers=headers)

    def call(self, tool, arguments):
        known = {k: self.first if v == "FIRST" else v for k, v in arguments.items()}
        answer = self.post("tools/call", {"name": tool, "arguments": known})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def result(self, tool, **arguments):
        return self.call(tool, {"projectId": "big", **arguments})["result"]


@pytest.fixture(scope="module")
def mcp(instance):
    repository = TestRepository(instance.data.parent / "big.git")
    first = repository.commit({"README.md": "# Big\n\nSmall once.\n", "old.md": "# Old\n"})
    repository.commit(FILES)
    instance.json("project", "add", "big", "--repo", str(repository.path), "--wait")
    made = Mcp(instance.reach)
    made.first = first
    yield made
    made.client.close()
    instance.json("project", "remove", "big")


@pytest.fixture(scope="module")
def schemas(mcp):
    tools = mcp.post("tools/list").json()["result"]["tools"]
    return {tool["name"]: tool["outputSchema"] for tool in tools}


def spent(result) -> int:
    """The tokens of a whole result: its text and its structured part."""
    text = "".join(block["text"] for block in result["content"])
    return estimate_tokens(text) + estimate_tokens(
        json.dumps(result["structuredContent"], ensure_ascii=False, separators=(",", ":"))
    )


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_a_result_is_what_its_schema_says(mcp, schemas, tool, arguments):
    result = mcp.result(tool, **arguments)

    assert not result.get("isError"), result
    jsonschema.validate(result["structuredContent"], schemas[tool])
    assert all(block["text"] for block in result["content"])


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_a_result_stays_within_its_budget(mcp, tool, arguments):
    refused = mcp.result(tool, maxTokens=1, **arguments)
    assert refused["isError"] is True
    least = int(refused["content"][0]["text"].rpartition("at least ")[2].rstrip("."))

    for budget in [least, *(least + more for more in BUDGETS)]:
        result = mcp.result(tool, maxTokens=budget, **arguments)
        assert not result.get("isError"), (budget, least, result)
        assert spent(result) <= budget


def test_pages_under_a_budget_lead_through_all_children(mcp):
    seen, offset = [], 0
    while offset is not None:
        page = mcp.result("brain_tree", node="docs/", maxTokens=2_000, offset=offset, limit=100)
        seen += [child["id"] for child in page["structuredContent"]["children"]]
        offset = page["structuredContent"]["nextOffset"]

    assert len(seen) == len(set(seen)) == 150


def test_many_children_are_named_with_what_lies_ahead(mcp):
    page = mcp.result("brain_tree", node="docs/", maxTokens=2_000)
    structure = page["structuredContent"]
    marks = structure["landmarks"]

    assert "summary" not in structure["children"][0]
    assert marks[0]["offset"] == structure["nextOffset"]
    ahead = mcp.result("brain_tree", node="docs/", offset=marks[1]["offset"], limit=1)
    child = ahead["structuredContent"]["children"][0]
    assert child["id"] == f"docs/{marks[1]['name']}.md"
    assert child["summary"] == "Words and home."


def test_pages_of_words_lead_through_all_children_that_match(mcp):
    asked = {"node": "docs/", "words": "home", "maxTokens": 2_000}
    seen, cursor = [], ""
    while cursor is not None:
        page = mcp.result("brain_tree", **asked, cursor=cursor)["structuredContent"]
        seen += [child["id"] for child in page["children"]]
        cursor = page["nextCursor"]

    assert len(seen) == len(set(seen)) == page["matching"] == 150


def test_a_usual_answer_says_nothing_of_words(mcp):
    structure = mcp.result("brain_tree", node="docs/")["structuredContent"]

    assert not {"words", "matching", "nextCursor", "warnings"} & structure.keys()
    assert not {"best", "match"} & structure["children"][0].keys()


@pytest.mark.parametrize(
    "asked",
    [
        {"words": ""},
        {"words": " \t"},
        {"words": "x" * 201},
        {"words": "x" * 10_000},
        {"words": "a\0b"},
        {"words": None},
        {"words": ["a"]},
        {"words": "change", "cursor": "5-00000000-00000000"},
        {"words": "change", "cursor": "x" * 10_000},
        {"words": "change", "cursor": "\0"},
        {"words": "change", "offset": 1},
        {"cursor": "5-00000000-00000000"},
    ],
)
def test_words_that_mean_nothing_are_refused(mcp, asked):
    result = mcp.result("brain_tree", **asked)

    assert result["isError"] is True
    assert "Internal error" not in result["content"][0]["text"]


def test_half_a_surrogate_pair_among_words_is_refused(mcp):
    body = (
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "brain_tree",'
        b' "arguments": {"projectId": "big", "words": "\\ud800"}}}'
    )

    answer = mcp.client.post(mcp.url, content=body, headers={"Content-Type": "application/json"})

    assert "Internal error" not in answer.text
    assert answer.status_code >= 400 or answer.json()["result"]["isError"]


@pytest.mark.parametrize(
    "words", ["the of a", "?!", "🙈", "'; drop table", "a" * 200, "\u202e", "*"]
)
def test_unusual_words_are_answered(mcp, words):
    assert not mcp.result("brain_tree", words=words).get("isError")


def test_a_document_is_found_without_its_ending(mcp):
    page = mcp.result("brain_tree", node="docs/3")

    assert page["structuredContent"]["node"]["id"] == "docs/3.md"


def test_a_cut_read_continues_where_it_stopped(mcp):
    lines, at = [], 0
    while at is not None:
        part = mcp.result(
            "brain_read", node="prose.md", scope="subtree", maxTokens=1_500, fromLine=at
        )
        structure = part["structuredContent"]
        citation = structure["citation"]
        lines += range(citation["lineStart"], citation["lineEnd"] + 1)
        at = structure["nextLine"]

    assert lines == list(range(1, FILES["prose.md"].count("\n") + 1))


@pytest.mark.parametrize(
    "arguments",
    [
        {"node": "a\0b"},
        {"node": "\ud800"},
        {"node": 1},
        {"node": None},
        {"node": ["/"]},
        {"node": "x" * 2_001},
        {"node": "../etc/passwd"},
        {"node": "/etc/passwd"},
        {"node": "README.md", "unknown": 1},
        {"node": "README.md", "scope": "all"},
        {"node": "README.md", "fromLine": -1},
        {"node": "README.md", "fromLine": 10**20},
        {"node": "README.md", "fromLine": 1.5},
        {"node": "README.md", "fromLine": "1"},
        {"node": "README.md", "fromLine": True},
        {"node": "README.md", "maxTokens": 0},
        {"node": "README.md", "maxTokens": 10**9},
        {"node": "README.md", "waitFor": "HEAD~1"},
        {"node": "README.md", "waitFor": "\0"},
        {"node": "README.md", "projectId": "\0"},
        {"node": "README.md", "projectId": "../big"},
        {"node": "README.md", "projectId": "BIG"},
        {"node": "README.md", "projectId": "x" * 100_000},
        {"node": {"a": {"b": {}}}},
        {},
    ],
)
def test_hostile_arguments_are_refused_in_words(mcp, instance, arguments):
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "brain_read", "arguments": {"projectId": "big", **arguments}},
        }
    )
    answer = mcp.client.post(mcp.url, content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code in (200, 400)
    assert "error" in answer.json() or answer.json()["result"]["isError"] is True
    for word in ("Traceback", "site-packages", "Internal", "psycopg", instance.reach["token"]):
        assert word not in answer.text


def test_an_unknown_tool_is_an_invalid_parameter(mcp):
    assert mcp.call("brain_nothing", {})["error"]["code"] == -32602


def test_an_unknown_argument_is_named(mcp):
    result = mcp.result("brain_tree", nodes="/")

    assert result["isError"] is True
    assert "nodes" in result["content"][0]["text"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
        b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
        b'{"jsonrpc": "2.0", "id": 1, "method": "nothing/at-all"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 1}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 1}}',
        b'{"a":' * 10_000,
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "brain_tree",'
        b' "arguments": ' + b'{"a":' * 500 + b"1" + b"}" * 500 + b"}}",
        b"x" * (1024 * 1024 + 1),
    ],
)
def test_messages_that_are_none_are_refused(mcp, instance, body):
    answer = mcp.client.post(mcp.url, content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code < 500
    assert answer.status_code >= 400 or "error" in answer.json()
    for word in ("Traceback", "site-packages", instance.reach["token"]):
        assert word not in answer.text


@pytest.mark.parametrize("verb", ["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "PATCH"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.invalid"},
        {"Origin": "https://evil.invalid"},
        {"Origin": "http://127.0.0.1.evil.invalid"},
    ],
)
def test_other_hosts_and_origins_reach_nothing(mcp, instance, verb, headers):
    sent = {
        "Authorization": f"Bearer {instance.reach['token']}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        **headers,
    }
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'

    answer = raw_request(mcp.url, verb, "/mcp", sent, body)

    assert answer.status in (403, 405, 421)
    assert b"brain_tree" not in answer.body


@pytest.fixture
async def http(instance):
    async with httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {instance.reach['token']}"}, timeout=60
    ) as client:
        yield client


async def test_the_newer_era_is_spoken(mcp, http):
    async with Client(streamable_http_client(mcp.url, http_client=http)) as client:
        tools = await client.list_tools()
        result = await client.call_tool("brain_read", {"projectId": "big", "node": "README.md"})

        assert client.protocol_version == "2026-07-28"
    assert [tool.name for tool in tools.tools][:2] == ["brain_tree", "brain_read"]
    assert result.structured_content["citation"]["path"] == "README.md"
    assert "Every change is read" in result.content[0].text


async def test_the_older_era_is_spoken(mcp, http):
    async with (
        streamable_http_client(mcp.url, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        started = await session.initialize()
        result = await session.call_tool("brain_lookup", {"projectId": "big", "query": "prose.md"})

    assert started.protocol_version == "2025-11-25"
    assert started.instructions.startswith("Brain holds")
    assert result.structured_content["matches"][0]["node"]["id"] == "prose.md"


async def test_standard_input_and_output_are_spoken(instance, mcp):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "brain.cli", "--data", str(instance.data), "mcp"]
    )
    async with Client(server) as client:
        tools = await client.list_tools()
        result = await client.call_tool("brain_tree", {"projectId": "big"})
        with pytest.raises(MCPError):
            await client.call_tool("brain_nothing", {})

    assert [tool.name for tool in tools.tools][:2] == ["brain_tree", "brain_read"]
    assert result.structured_content["node"]["id"] == "/"


def resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


@pytest.mark.slow
async def test_two_thousand_calls_leave_memory_and_descriptors_flat(instance, mcp):
    services = json.loads((instance.data / "services.json").read_text())
    pid = next(each["pid"] for each in services if each["name"] == "host")
    headers = dict(mcp.client.headers)

    async def calls(count):
        async with httpx.AsyncClient(headers=headers, timeout=60) as client:
            for start in range(0, count, 8):
                await asyncio.gather(*(one(client, start + each) for each in range(8)))

    async def one(client, number):
        tool, arguments = CALLS[number % len(CALLS)]
        known = {k: mcp.first if v == "FIRST" else v for k, v in arguments.items()}
        params = {"name": tool, "arguments": {"projectId": "big", **known}}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        answer = await client.post(mcp.url, json=message)
        assert answer.status_code == 200

    await calls(600)
    before = (resident_kib(pid), descriptors(pid))
    await calls(2_000)
    after = (resident_kib(pid), descriptors(pid))

    assert after[0] - before[0] < 12 * 1024
    assert after[1] - before[1] <= 8
