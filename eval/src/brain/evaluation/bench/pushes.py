"""Rows of a push: from the moved branch, or from the event of it, to the readable commit."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from statistics import median

import httpx
import msgspec
import nats
from nats.aio.msg import Msg

from brain.evaluation.bench.calibration import as_ratio, calibrate
from brain.evaluation.bench.product import Product, ProductError
from brain.evaluation.bench.reading import TENTH, THOUSAND, WHOLE, Reading, reading_stage
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.verdict import percentile

_EVENTS = "brain.v1.fresh.>"
_MANY = 100
#: A fifth of the documents at most may change in an incremental build.
_FEWEST_FOR_MANY = 5 * _MANY


class Pushed(msgspec.Struct, frozen=True):
    """How long a push took to be readable, in seconds: from the push, and from the event."""

    push_s: float
    event_s: float


def measure(reading: Reading, _number: int) -> Mapping[str, Sample]:
    """Push single documents to all repositories in turns, then many to the whole one."""
    calibration_s = calibrate()
    taken = asyncio.run(_push_all(reading))
    events = {project: [each.event_s for each in pushed] for project, pushed in taken.items()}
    half = median(events[WHOLE])
    return {
        "event-p50": Sample(half, calibration_s),
        "event-p95": Sample(percentile(events[WHOLE], 0.95), calibration_s),
        "event-sizes": Sample(half, median(events[TENTH])),
        "event-many": Sample(events["many"][0], calibration_s),
        "push": Sample(median(each.push_s for each in taken[THOUSAND]), calibration_s),
    }


async def _push_all(reading: Reading) -> dict[str, list[Pushed]]:
    taken: dict[str, list[Pushed]] = {project: [] for project in reading.repositories}
    async with _watching(reading.product) as watch:
        for _ in range(reading.setting.effort.pushes):
            for project, repository in reading.repositories.items():
                taken[project].append(await watch.readable(project, repository.change()))
        many = await watch.readable(WHOLE, reading.repositories[WHOLE].change(_MANY))
    return {**taken, "many": [many]}


class _Watch:
    """Hears the event that wakes a builder, and asks for the commit until it can be read."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._heard: float | None = None

    async def on_event(self, _message: Msg) -> None:
        if self._heard is None:
            self._heard = time.perf_counter()

    async def readable(self, project: str, commit: str) -> Pushed:
        began, self._heard = time.perf_counter(), None
        answer = await self._client.get(
            f"/api/projects/{project}/brain/tree", params={"waitFor": commit}
        )
        ended = time.perf_counter()
        if answer.status_code != httpx.codes.OK or answer.json()["commit"] != commit:
            raise ProductError(f"{commit} is not readable: {answer.text[:300]}")
        if self._heard is None:
            raise ProductError("no event was heard")
        return Pushed(ended - began, ended - self._heard)


@asynccontextmanager
async def _watching(product: Product) -> AsyncIterator[_Watch]:
    headers: Sequence[tuple[str, str]] = [("Authorization", f"Bearer {product.token}")]
    base = f"http://127.0.0.1:{product.port}"
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=60) as client:
        watch = _Watch(client)
        bus = await nats.connect(product.nats_url)
        await bus.subscribe(_EVENTS, cb=watch.on_event)
        await bus.flush()
        try:
            yield watch
        finally:
            await bus.close()


_WORK = "a fixed piece of work"
GROUP = Group(
    "pushes",
    (
        Row(
            "event-p50",
            "one changed document, event to readable, p50",
            "s",
            _WORK,
            (Goal(as_ratio(0.25)),),
        ),
        Row("event-p95", "one changed document, p95", "s", _WORK, (Goal(as_ratio(0.6)),)),
        Row(
            "event-sizes",
            "one changed document, p50, by size",
            "s",
            "the same with a tenth of the documents",
            (Goal(1.3),),
        ),
        Row(
            "event-many",
            "100 changed documents, event to readable",
            "s",
            _WORK,
            (Goal(as_ratio(2), fewest_documents=_FEWEST_FOR_MANY),),
        ),
        Row(
            "push",
            "one changed document of 1,000, push to readable",
            "s",
            _WORK,
            (Goal(as_ratio(1.5)),),
        ),
    ),
    reading_stage,
    measure,
)
