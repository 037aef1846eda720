"""Rows of an instance that nobody asks anything: its memory and its processor time."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

from brain.evaluation.bench.processes import cpu_seconds, family, pss_bytes
from brain.evaluation.bench.product import Product, up
from brain.evaluation.bench.reading import WHOLE
from brain.evaluation.bench.row import Goal, Row, Sample
from brain.evaluation.bench.runner import Group
from brain.evaluation.bench.setting import Setting

_MB = 1e6
_LIMIT_MB = 300.0
_LIMIT_SHARE = 0.03
#: When the promise holds: build children end after a minute.
_PROMISED_AFTER_S = 90.0
_PROMISED_DOCUMENTS = 12_500


class Idling(msgspec.Struct, frozen=True):
    """An instance that has had nothing to do for a while."""

    product: Product
    watch_s: float


@contextmanager
def idling_stage(setting: Setting) -> Iterator[Idling]:
    """Run ``brain up``, index the repository, and leave it alone."""
    with up(setting, "idling") as product:
        product.add(WHOLE, setting.whole)
        time.sleep(setting.idle_s)
        yield Idling(product, setting.effort.watch_s)


def measure(idling: Idling, _number: int) -> Mapping[str, Sample]:
    """Watch the supervisor and all its descendants for some seconds."""
    pids = family(idling.product.pid)
    before_s, began = cpu_seconds(pids), time.perf_counter()
    time.sleep(idling.watch_s)
    share = (cpu_seconds(pids) - before_s) / (time.perf_counter() - began)
    return {
        "idle-memory": Sample(pss_bytes(pids) / _MB, _LIMIT_MB),
        "idle-processor": Sample(share * 100, _LIMIT_SHARE * 100),
    }


_GOALS = (Goal(1, most_documents=_PROMISED_DOCUMENTS, shortest_idle_s=_PROMISED_AFTER_S),)
GROUP = Group(
    "idling",
    (
        Row("idle-memory", "idle, proportional set size", "MB", "300 MB", _GOALS),
        Row("idle-processor", "idle, processor time", "% of a core", "3 % of a core", _GOALS),
    ),
    idling_stage,
    measure,
)
