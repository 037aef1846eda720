"""Parsing: all documents of a commit, on all cores where there is work for them."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from brain.builder.job import Progress, Started
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.tree.config import TreeConfig
from brain.tree.document import DocumentRow
from brain.tree.parse import parse_document
from brain.tree.place import place_document

_BATCH = 100
#: Fewer documents are parsed sooner by one process than others are started.
_WORTH_SHARING = 400

Entry = tuple[str, str]
Send = Callable[[Started | Progress], None]


def parse_all(
    mirror: Mirror, commit: str, entries: Sequence[Entry], config: TreeConfig, send: Send
) -> tuple[DocumentRow, ...]:
    """Parse documents given as (path, blob), in their order.

    Raises:
        MirrorError: a blob is not here or damaged.
    """
    documents: list[DocumentRow] = []
    for rows in _batches(mirror, commit, entries, config):
        documents += rows
        send(Progress("parsing", len(documents), len(entries)))
    return tuple(documents)


def _batches(
    mirror: Mirror, commit: str, entries: Sequence[Entry], config: TreeConfig
) -> Iterator[list[DocumentRow]]:
    batches = [entries[start : start + _BATCH] for start in range(0, len(entries), _BATCH)]
    cores = len(os.sched_getaffinity(0))
    if len(entries) < _WORTH_SHARING or cores == 1:
        snapshot = open_snapshot(mirror.root, mirror.source_id, commit)
        for batch in batches:
            yield _parse_batch(snapshot, batch, config)
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(
        cores, context, initializer=_open, initargs=(mirror, commit, config)
    ) as workers:
        yield from workers.map(_parse_opened, batches)


#: What this worker parses; set once by its initializer.
_opened: list[tuple[Snapshot, TreeConfig]] = []


def _open(mirror: Mirror, commit: str, config: TreeConfig) -> None:
    _opened.append((open_snapshot(mirror.root, mirror.source_id, commit), config))


def _parse_opened(batch: Sequence[Entry]) -> list[DocumentRow]:
    snapshot, config = _opened[0]
    return _parse_batch(snapshot, batch, config)


def _parse_batch(
    snapshot: Snapshot, batch: Sequence[Entry], config: TreeConfig
) -> list[DocumentRow]:
    return [
        place_document(parse_document(snapshot.read_blob(blob), config), path, blob)
        for path, blob in batch
    ]
