"""Rows of serving: reads and tool calls, against what does nothing in the same server."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import httpx
import msgspec

from brain.evaluation.bench.host import NOTHING, NOTHING_MCP
from brain.evaluation.bench.load import Load, run_load
from brain.evaluation.bench.product import PYTHON, Product, ProductError, up
from brain.evaluation.bench.reading import WHOLE
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.setting import Setting
from brain.evaluation.bench.verdict import percentile

_ROUTE = f"/api/projects/{WHOLE}/brain"
_NODES = 40
_BUILT_S = 600.0


class Serving(msgspec.Struct, frozen=True):
    """A running instance of the bench's host, and requests for it."""

    setting: Setting
    product: Product
    trees: list[bytes]
    nodes: list[bytes]

    def load(self, requests: Sequence[bytes], seconds: float) -> Load:
        """Put load on the instance; every answer must be good.

        Raises:
            ProductError: some answers were not 200.
        """
        load = run_load(self.product.target, requests, seconds)
        if load.errors:
            raise ProductError(f"{load.errors} of {len(load.latencies_s)} answers were errors")
        return load


@contextmanager
def serving_stage(setting: Setting) -> Iterator[Serving]:
    """Run the bench's host and index the repository; every request is answered once."""
    supervisor = (*PYTHON, "brain.evaluation.bench.supervisor")
    with up(setting, "serving", supervisor) as product:
        product.add(WHOLE, setting.whole)
        ids = _node_ids(setting)
        folders = [node for node in ids if node.endswith("/")]
        documents = [node for node in ids if not node.endswith("/")]
        trees = [_get(product, "tree", node) for node in (*folders, *documents)]
        nodes = [_get(product, "node", node) for node in documents]
        serving = Serving(setting, product, trees, nodes)
        serving.load(trees + nodes, setting.effort.load_s)
        yield serving


def measure_reads(serving: Serving, _number: int) -> Mapping[str, Sample]:
    """Load the do-nothing route, the tree and the nodes."""
    seconds = serving.setting.effort.load_s
    nothing = serving.load([serving.product.target.get(NOTHING)], seconds)
    tree = serving.load(serving.trees, seconds)
    node = serving.load(serving.nodes, seconds)
    return {"tree": Sample(tree.rate, nothing.rate), "node": Sample(node.rate, nothing.rate)}


def measure_calls(serving: Serving, _number: int) -> Mapping[str, Sample]:
    """Call a tool that does nothing, then ``brain_tree``."""
    seconds = serving.setting.effort.load_s
    target = serving.product.target
    nothing = serving.load([target.post(NOTHING_MCP, _call("nothing", {}))], seconds)
    arguments = {"projectId": WHOLE, "node": "/"}
    tree = serving.load([target.post("/mcp", _call("brain_tree", arguments))], seconds)
    return {"mcp": Sample(tree.rate, nothing.rate)}


def measure_rebuilding(serving: Serving, _number: int) -> Mapping[str, Sample]:
    """Read while whole rebuilds follow each other, and compare the slowest with the median."""
    with _rebuilding(serving.product):
        load = serving.load(serving.trees + serving.nodes, serving.setting.effort.rebuilding_s)
    slowest, half = (percentile(load.latencies_s, share) for share in (0.99, 0.5))
    return {"rebuilding": Sample(slowest * 1000, half * 1000)}


@contextmanager
def _rebuilding(product: Product) -> Iterator[None]:
    """Demand a whole build again and again for the length of a block; wait for the last to end."""
    ended = threading.Event()

    def demand() -> None:
        headers = {"Authorization": f"Bearer {product.token}"}
        url = f"http://127.0.0.1:{product.port}{_ROUTE}/rebuild"
        while not ended.is_set():
            httpx.post(url, headers=headers, timeout=120).raise_for_status()
            ended.wait(0.5)

    thread = threading.Thread(target=demand)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        _wait_until_built(product)


def _wait_until_built(product: Product) -> None:
    deadline = time.monotonic() + _BUILT_S
    while (status := product.get(_ROUTE))["metSeq"] < status["wantedSeq"]:
        if time.monotonic() > deadline:
            raise ProductError("the last rebuild does not end")
        time.sleep(0.1)


def _node_ids(setting: Setting) -> list[str]:
    """Return documents spread over the repository, and the folders they lie in."""
    documents = setting.whole.documents
    step = max(1, len(documents) // _NODES)
    paths = [document.path.decode() for document in documents[::step]][:_NODES]
    folders = {path.rpartition("/")[0] + "/" for path in paths}
    return [*sorted(folders), *paths]


def _get(product: Product, route: str, node: str) -> bytes:
    query = httpx.QueryParams({"node": node})
    return product.target.get(f"{_ROUTE}/{route}?{query}")


def _call(tool: str, arguments: dict[str, str]) -> dict[str, object]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


_NOTHING = "a do-nothing route of the same server"
READS = Group(
    "reads",
    (
        Row(
            "tree", "tree reads, 16 connections, warm", "/s", _NOTHING, (Goal(0.4, at_least=True),)
        ),
        Row("node", "node reads, the same", "/s", _NOTHING, (Goal(0.4, at_least=True),)),
    ),
    serving_stage,
    measure_reads,
)
CALLS = Group(
    "tool calls",
    (Row("mcp", "MCP calls of brain_tree", "/s", "a do-nothing tool, same SDK and transport"),),
    serving_stage,
    measure_calls,
)
REBUILDING = Group(
    "reads during rebuilds",
    (
        Row(
            "rebuilding",
            "reads while rebuilds run, p99",
            "ms",
            "their p50",
            (Goal(10),),
        ),
    ),
    serving_stage,
    measure_rebuilding,
)
