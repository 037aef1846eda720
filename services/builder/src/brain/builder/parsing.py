"""Parsing: all documents of a commit, each blob once for ever, on all cores where that pays."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import msgspec

from brain.builder.job import Progress, Started
from brain.builder.parse_cache import ParseCache, parse_cache
from brain.builder.parse_worker import open_worker, parse_batch, parse_opened
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import open_snapshot
from brain.tree.config import TreeConfig
from brain.tree.document import DocumentRow
from brain.tree.parse import ParsedDocument
from brain.tree.place import place_document

_BATCH = 100
#: Fewer documents are parsed sooner by one process than others are started.
_WORTH_SHARING = 400

Entry = tuple[str, str]
Send = Callable[[Started | Progress], None]

_decode = msgspec.msgpack.Decoder(ParsedDocument).decode


class Parsed(msgspec.Struct, frozen=True):
    """Documents in the order they were asked for, and how many were parsed for it."""

    documents: tuple[DocumentRow, ...]
    parsed_count: int
    #: How many of them are plain enough for the fast parser.
    fast_count: int


def parse_all(
    mirror: Mirror, commit: str, entries: Sequence[Entry], config: TreeConfig, send: Send
) -> Parsed:
    """Parse documents given as (path, blob), in their order.

    Raises:
        MirrorError: a blob is not here or damaged.
    """
    with parse_cache(mirror, config) as cache:
        blobs = list(dict.fromkeys(blob for _, blob in entries))
        known = cache.find(blobs)
        missing = [blob for blob in blobs if blob not in known]
        send(Progress("parsing", len(known), len(blobs)))
        for fresh in _parse_missing(mirror, commit, missing, config):
            cache.keep(fresh)
            known.update(fresh)
            send(Progress("parsing", len(known), len(blobs)))
        _prune(cache, blobs)
    documents = []
    fast_count = 0
    for path, blob in entries:
        parsed = _decode(known[blob])
        fast_count += parsed.fast
        documents.append(place_document(parsed, path, blob))
    return Parsed(tuple(documents), len(missing), fast_count)


def _prune(cache: ParseCache, blobs: Sequence[str]) -> None:
    if len(blobs) >= _WORTH_SHARING:
        cache.forget_others(blobs)


def _parse_missing(
    mirror: Mirror, commit: str, blobs: Sequence[str], config: TreeConfig
) -> Iterator[dict[str, bytes]]:
    remaining = iter(blobs)
    batches = list(iter(lambda: list(islice(remaining, _BATCH)), []))
    cores = len(os.sched_getaffinity(0))
    if len(blobs) < _WORTH_SHARING or cores == 1:
        snapshot = open_snapshot(mirror.root, mirror.source_id, commit)
        for batch in batches:
            yield parse_batch(snapshot, batch, config)
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["brain.builder.parse_worker"])
    with ProcessPoolExecutor(
        cores, context, initializer=open_worker, initargs=(mirror, commit, config)
    ) as workers:
        yield from workers.map(parse_opened, batches)
