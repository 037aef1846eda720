"""Bundles, contexts, feedback and gaps, over every surface, as users and agents meet them."""

import base64
import json
import time

import httpx
import jsonschema
import pytest

from brain.search.tokens import estimate_tokens
from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder
from tests.e2e.conftest import started

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

PROSE = "A payment that failed is tried again three times, with a pause that doubles.\n\n"
FILES = {
    "README.md": "# Payments\n\nHow payments are retried.\n",
    "domain/payments.md": "---\ntitle: Payments\n---\n# Payments\n\n"
    + "".join(f"## Part {n}\n\nNumber {n} of payments. {PROSE * (n % 7 + 1)}" for n in range(30)),
    "domain/refunds.md": "# Refunds\n\nA payment is refunded within a week.\n",
    "domain/old.md": "---\nstatus: superseded\nsupersededBy: domain/refunds.md\n---\n"
    "# Old refunds\n\nA payment is refunded within a month.\n",
    "domain/code.md": "# Payments code\n\n```python\n"
    + 'def payments(a: int) -> dict[str, "X"]:\n    return {k: v for k, v in a.items()}\n' * 60
    + "```\n",
    "domain/cjk.md": "# 付款 payments\n\n"
    + "付款在合并之前必须由他人阅读。決定は記録される。\n\n" * 90,
    "domain/base64.md": "# Payments data\n\n```\n"
    + "\n".join(base64.b64encode(bytes([n] * 57)).decode() for n in range(60))
    + "\n```\n",
    "conventions/style.md": "# Style\n\nPayments are written with care.\n",
    "conventions/queue.md": '---\nrefs: ["services/queue/**"]\n---\n'
    "# Queue\n\nOne queue for everything.\n\n## Order\n\nFirst in, first out.\n",
    "projects/shop/plan.md": "# Plan\n\nThe shop takes payments.\n",
}
TASK = "How is a payment retried?"
TASKS = (TASK, "payments code", "付款", "payments data base64")
BUDGETS = (200, 250, 333, 500, 777, 1_000, 2_000, 3_500, 8_000, 20_000)


class Rest:
    def __init__(self, reach):
        self.base = reach["restUrl"].removesuffix("/api")
        self.headers = {"Authorization": f"Bearer {reach['token']}"}

    def get(self, path, **parameters):
        return httpx.get(self.base + path, params=parameters, headers=self.headers, timeout=60)

    def post(self, path, **body):
        return httpx.post(self.base + path, json=body, headers=self.headers, timeout=60)

    def bundle(self, **asked):
        answer = self.post("/api/projects/pay/brain/bundle", **({"task": TASK} | asked))
        assert answer.status_code == 200, answer.text
        return answer.json()


class Mcp:
    def __init__(self, reach):
        self.url = reach["mcpUrl"]
        self.headers = {
            "Authorization": f"Bearer {reach['token']}",
            "Accept": "application/json, text/event-stream",
        }

    def post(self, method, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = httpx.post(self.url, json=message, headers=self.headers, timeout=60)
        return answer.json()["result"]

    def call(self, tool, **arguments):
        return self.post("tools/call", name=tool, arguments={"project_id": "pay"} | arguments)


@pytest.fixture(scope="module")
def repository(instance):
    made = TestRepository(instance.data.parent / "pay.git")
    before = FILES | {f"domain/filler/{n}.md": f"# Filler {n}\n" for n in range(12)}
    made.commit(before | {"domain/gone.md": "# Payments\n\nOnce.\n"})
    instance.json("project", "add", "pay", "--repo", str(made.path), "--wait")
    made.commit(before | {"domain/refunds.md": "# Refunds\n\nNever.\n"})
    instance.json("build", "pay", "--wait")
    made.commit(before)
    assert instance.json("build", "pay", "--wait")["lastBuild"]["kind"] == "incremental"
    yield made
    instance.json("project", "remove", "pay")


@pytest.fixture(scope="module")
def rest(instance, repository):
    return Rest(instance.reach)


@pytest.fixture(scope="module")
def mcp(instance, repository):
    return Mcp(instance.reach)


def spent(result):
    text = "".join(block["text"] for block in result["content"])
    structure = json.dumps(result["structuredContent"], ensure_ascii=False, separators=(",", ":"))
    return estimate_tokens(text) + estimate_tokens(structure)


def eventually(ask):
    """The journal is written within a second or two."""
    end = time.monotonic() + 15
    while True:
        found = ask()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.2)


def test_the_command_line_prints_a_bundle_and_its_fields(instance, repository):
    answer = instance.json("bundle", "pay", TASK, "--max-tokens", "600")

    assert len(answer["bundleId"]) == 16
    assert answer["text"].startswith(f"<!-- brain bundle {answer['bundleId']} ")
    assert answer["tokens"] <= 570
    assert answer["truncated"] is False
    assert {each["reason"] for each in answer["omitted"]} <= {"budget", "duplicate", "empty"}
    assert instance.run("bundle", "pay", TASK, "--max-tokens", "600").stdout == answer["text"]


def test_a_section_says_where_it_stands_and_why(rest, repository):
    answer = rest.bundle()
    section = answer["sections"][0]

    lines = repository.show(answer["commit"], section["path"]).decode().split("\n")
    cited = "\n".join(lines[section["lineStart"] - 1 : section["lineEnd"]])
    assert cited.split("\n", 1)[1].strip() in answer["text"]
    assert section["why"][0]["leg"] == "keyword"
    assert section["updated"] == "2023-11-14"


@pytest.mark.parametrize("task", TASKS)
def test_no_bundle_exceeds_its_budget(rest, task):
    for budget in BUDGETS:
        answer = rest.bundle(task=task, maxTokens=budget)
        assert estimate_tokens(answer["text"]) == answer["tokens"] <= budget


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("tool", "name"), [("compile_bundle", "task_description"), ("search_context", "query")]
)
def test_no_tool_exceeds_its_budget(mcp, tool, name, task):
    refused = mcp.call(tool, max_tokens=1, **{name: task})
    least = int(refused["content"][0]["text"].rpartition("at least ")[2].rstrip("."))

    more = [each for each in (*range(least, 1_200, 97), *BUDGETS) if each > least]
    for budget in (least, least + 1, *more):
        result = mcp.call(tool, max_tokens=budget, **{name: task})
        assert not result.get("isError"), (budget, least, result)
        assert spent(result) <= budget


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_context", {"query": TASK}),
        ("search_context", {"query": "zebra"}),
        ("compile_bundle", {"task_description": TASK}),
        ("compile_bundle", {"task_description": "zebra"}),
        ("get_document", {"doc_path": "domain/payments.md"}),
        ("get_document", {"doc_path": "domain/base64.md", "max_tokens": 900}),
        ("list_scopes", {}),
    ],
)
def test_a_result_is_what_its_schema_says(mcp, tool, arguments):
    schemas = {each["name"]: each["outputSchema"] for each in mcp.post("tools/list")["tools"]}

    result = mcp.call(tool, **arguments)

    assert not result.get("isError"), result
    jsonschema.validate(result["structuredContent"], schemas[tool])
    assert spent(result) <= arguments.get("max_tokens", 6_000)


def test_equal_requests_give_equal_bytes_also_from_another_data_folder(rest, mcp, repository):
    asked = {"task": TASK, "paths": [".\\services\\queue/a.py"], "maxTokens": 1_500}
    first = rest.bundle(**asked)
    agent = mcp.call("compile_bundle", task_description=TASK)
    with scratch_folder() as folder, started(folder / "data") as other:
        other.json("project", "add", "elsewhere", "--repo", str(repository.path), "--wait")
        other.json("project", "remove", "elsewhere")
        other.json("project", "add", "pay", "--repo", str(repository.path), "--wait")
        second = Rest(other.reach).bundle(**asked)
        other_agent = Mcp(other.reach).call("compile_bundle", task_description=TASK)

    assert first | {"indexedAt": ""} == second | {"indexedAt": ""}
    assert agent["content"] == other_agent["content"]


def test_the_same_request_in_other_words_is_the_same_bundle(rest):
    one = rest.bundle(scopes=["domain", "conventions"], paths=["a/b.py", "./a/c.py"])
    other = rest.bundle(scopes=[" conventions", "domain"], paths=["a/c.py", "a\\b.py", "a/b.py"])

    assert one["bundleId"] == other["bundleId"]
    assert one["bundleId"] == rest.bundle(paths=["a/b.py", "a/c.py"])["bundleId"]
    assert one["bundleId"] != rest.bundle()["bundleId"]


def test_scopes_limit_a_bundle_and_order_it(rest):
    usual = [each["scope"] for each in rest.bundle(maxTokens=20_000)["sections"]]
    assert usual == sorted(usual, key=["domain", "conventions"].index)

    shop = rest.bundle(task="payments", scopes=["projects/shop"])
    assert [each["path"] for each in shop["sections"]] == ["projects/shop/plan.md"]

    everywhere = rest.bundle(task="payments", scopes=["*"], maxTokens=20_000)
    assert everywhere["scopes"] == ["all"]
    assert "other" in {each["scope"] for each in everywhere["sections"]}


def test_documents_that_govern_a_code_path_lead(rest):
    without = rest.bundle(maxTokens=400)
    led = rest.bundle(maxTokens=400, paths=["services/queue/worker.py"])

    assert not [each for each in without["sections"] if "queue" in each["path"]]
    governing = [each for each in led["sections"] if each["path"] == "conventions/queue.md"]
    assert [each["why"][0]["leg"] for each in governing] == ["paths", "paths"]


def test_what_no_longer_holds_says_so(rest):
    answer = rest.bundle(task="refunded within a month", maxTokens=1_000)

    assert "domain/old.md" in [each["path"] for each in answer["sections"]]
    assert "superseded, see domain/refunds.md)" in answer["text"]


def test_a_replay_gives_the_same_bytes_after_the_index_has_moved_on(instance):
    with scratch_folder() as folder:
        moving = TestRepository(folder / "moving.git")
        moving.commit(FILES)
        instance.json("project", "add", "moving", "--repo", str(moving.path), "--wait")
        rest = Rest(instance.reach)
        place = "/api/projects/moving/brain/bundle"
        bundles = [
            rest.post(place, task=TASK, maxTokens=budget).json() for budget in (220, 900, 4_000)
        ]
        moving.commit({"README.md": "# Nothing is left\n"})
        instance.json("build", "moving", "--wait")
        for bundle in bundles:
            again = rest.get(f"{place}/{bundle['bundleId']}/replay")
            assert again.status_code == 200, again.text
            assert again.json()["text"] == bundle["text"]
            assert again.json()["commit"] == bundle["commit"]
            assert again.json()["behindBy"] == 1
            assert rest.get(f"{place}/{bundle['bundleId']}").json()["text"] == bundle["text"]
        instance.json("project", "remove", "moving")
        assert rest.get(f"{place}/{bundles[0]['bundleId']}").status_code == 404


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"task": ""}, "bad-request"),
        ({"task": "   "}, "bad-request"),
        ({"task": "x" * 10_001}, "bad-request"),
        ({"task": "a\0b"}, "bad-request"),
        ({"scopes": ["nowhere"]}, "bad-request"),
        ({"scopes": ["../domain"]}, "bad-request"),
        ({"scopes": [f"projects/{n}" for n in range(100)]}, "bad-request"),
        ({"maxTokens": 0}, "bad-request"),
        ({"maxTokens": -5}, "bad-request"),
        ({"maxTokens": 10**9}, "bad-request"),
        ({"maxTokens": 10**30}, "bad-request"),
        ({"maxTokens": 10}, "budget-too-small"),
        ({"paths": ["x" * 501]}, "bad-request"),
        ({"paths": ["x"] * 51}, "bad-request"),
        ({"paths": "x"}, "bad-request"),
        ({"more": 1}, "bad-request"),
    ],
)
def test_a_request_that_means_nothing_is_a_problem(rest, asked, code):
    answer = rest.post("/api/projects/pay/brain/bundle", **({"task": TASK} | asked))

    assert (answer.status_code, answer.json()["code"]) == (400, code)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("compile_bundle", {"task_description": "a\0b"}),
        ("compile_bundle", {"task_description": "x" * 10_001}),
        ("compile_bundle", {"task_description": TASK, "scopes": ["a\0b"]}),
        ("compile_bundle", {"task_description": TASK, "scopes": ["nowhere"]}),
        ("compile_bundle", {"task_description": TASK, "paths": ["\0"]}),
        ("compile_bundle", {"task_description": TASK, "max_tokens": 10**9}),
        ("compile_bundle", {"task_description": [TASK]}),
        ("search_context", {"query": ""}),
        ("search_context", {"query": TASK, "top_k": 51}),
        ("search_context", {"query": TASK, "paths": ["x" * 501]}),
        ("get_document", {"doc_path": "../README.md"}),
        ("get_document", {"doc_path": "domain/"}),
        ("get_document", {"doc_path": "domain/payments.md#part-1"}),
        ("get_document", {"doc_path": "domain/refunds.md", "scopes": ["conventions"]}),
        ("report_usage", {"bundle_id": "a\0b", "useful_chunk_ids": []}),
        ("report_usage", {"bundle_id": "0" * 16, "useful_chunk_ids": ["x"] * 201}),
        ("list_scopes", {"max_tokens": 1}),
    ],
)
def test_arguments_that_mean_nothing_are_refused_in_words(mcp, tool, arguments):
    result = mcp.call(tool, **arguments)

    assert result["isError"] is True
    assert "Internal error" not in result["content"][0]["text"]


def test_the_least_budget_that_is_named_is_enough(rest):
    for task in (TASK, "zebra", "x" * 9_000, "付款" * 300):
        refused = rest.post("/api/projects/pay/brain/bundle", task=task, maxTokens=1)
        least = refused.json()["minimum"]
        assert rest.bundle(task=task, maxTokens=least)["tokens"] <= least


def test_strange_tasks_are_answered(rest):
    for task in ("-->", "<!-- x", "\u202e", "😀" * 500, "a" * 10_000, "* ? [", "\u2028--\u2028>"):
        answer = rest.bundle(task=task)
        assert answer["text"].split("\n")[0].count("-->") == 1


def test_a_project_need_not_be_named_when_the_token_sees_one(instance, repository):
    token = instance.json("token", "create", "agent", "--project", "pay")["token"]
    rest = Rest({**instance.reach, "token": token})

    bundle = rest.post("/api/bundle", task=TASK, max_tokens=700).json()
    found = rest.get("/api/search", q=TASK, max_tokens=300, scopes="domain,conventions").json()
    scopes = rest.get("/api/scopes").json()["scopes"]
    document = rest.get("/api/docs/domain/refunds.md").json()

    section = {"chunk_id", "doc_path", "heading", "scope", "tokens", "updated_at"}
    assert set(bundle["sections"][0]) == section
    assert sum(each["tokens"] for each in found["chunks"]) == found["tokens"] <= 300
    chunk = {"chunk_id", "doc_path", "heading", "content", "score", "tokens"}
    assert chunk <= set(found["chunks"][0])
    assert {each["scope"]: each["documents"] for each in scopes} == {
        "conventions": 2,
        "domain": 18,
        "other": 1,
        "projects/shop": 1,
    }
    assert document["content"] == FILES["domain/refunds.md"].rstrip("\n")
    assert rest.get("/api/docs/domain/refunds.md", scopes="conventions").status_code == 403
    assert rest.post("/api/bundle", task=TASK, project="handbook").status_code == 404


def test_one_who_sees_several_projects_must_name_one(rest, handbook):
    assert rest.post("/api/bundle", task=TASK).status_code == 400
    assert rest.post("/api/bundle", task=TASK, project="pay").status_code == 200


def test_feedback_and_unanswered_questions_become_gaps(instance, rest, mcp):
    useless = rest.bundle(task="payments written with care")
    useful = rest.bundle(task="payment refunded")
    chunk = useful["sections"][0]["chunkId"]
    said = rest.post("/api/usage", bundle_id=useless["bundleId"], project="pay").json()
    kept = mcp.call("report_usage", bundle_id=useful["bundleId"], useful_chunk_ids=[chunk, "no"])
    for _ in range(2):
        instance.json("search", "pay", "xylophone zebra")

    def asked():
        found = instance.json("gaps", "pay")["gaps"]
        asked_twice = [gap for gap in found if gap["query"] == "xylophone zebra"]
        return found if any(gap["count"] >= 2 for gap in asked_twice) else None

    reasons = {(gap["query"], gap["reason"]) for gap in eventually(asked)}
    assert (said["recorded"], said["useful"]) == (len(useless["sections"]), 0)
    assert kept["structuredContent"]["useful"] == 1
    assert kept["structuredContent"]["unknown_chunk_ids"] == ["no"]
    assert ("xylophone zebra", "no_results") in reasons
    assert ("payments written with care", "no_useful_sections") in reasons
    assert not [query for query, _ in reasons if query == "payment refunded"]


def test_an_unknown_bundle_is_a_typed_404(rest, mcp):
    answer = rest.post("/api/usage", bundle_id="0" * 16, project="pay")

    assert (answer.status_code, answer.json()["code"]) == (404, "no-such-bundle")
    assert mcp.call("report_usage", bundle_id="../x", useful_chunk_ids=[])["isError"] is True
    assert rest.get("/api/projects/pay/brain/bundle/x%27--/replay").status_code == 404


def test_counters_are_kept_and_can_be_reset(instance, rest):
    rest.bundle(task="a task of its own")
    rest.bundle(task="a task of its own")

    def counted():
        stats = rest.get("/api/projects/pay/brain/stats").json()
        return stats if stats["bundleCache"]["hits"] else None

    stats = eventually(counted)
    assert stats["index"]["documents"] == 22
    assert 0 < stats["bundleCache"]["hitRate"] < 1
    assert stats["tokensServed"] > 0
    assert stats["byName"]["compile_bundle"]["requests"] >= 2
    reader = instance.json("token", "create", "reader", "--project", "pay")["token"]
    place = "/api/projects/pay/brain/stats/reset"
    assert Rest({**instance.reach, "token": reader}).post(place).status_code == 403
    assert rest.post(place).json()["tokensServed"] == 0
    metrics = rest.get("/metrics").text
    assert 'brain_bundle_cache_total{result="memory"}' in metrics
    assert 'brain_search_duration_seconds_count{kind="bundle"}' in metrics
    assert 'brain_tokens_served_total{name="compile_bundle",surface="rest"}' in metrics
