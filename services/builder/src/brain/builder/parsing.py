"""Parsing: all documents of a commit, each blob once for ever, on all cores where that pays."""

import multiprocessing
import os
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

import msgspec

from brain.builder.gathered import Gathered
from brain.builder.job import Progress, Started
from brain.builder.parse_cache import ParseCache, parse_cache
from brain.builder.parse_worker import Batch, Item, open_worker, parse_batch, parse_opened
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import open_snapshot
from brain.search.vocabulary import Vocabulary
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
    #: The chunks of those that were to be analysed.
    gathered: Gathered


def parse_all(
    mirror: Mirror,
    commit: str,
    entries: Sequence[Entry],
    config: TreeConfig,
    analysed: Container[str],
    send: Send,
) -> Parsed:
    """Parse documents given as (path, blob), in their order.

    Args:
        mirror: where the objects are.
        commit: whose documents they are.
        entries: path and blob of each.
        config: the settings of the repository at the commit.
        analysed: the paths whose chunks are wanted; their blobs are read even when they were
            parsed before.
        send: told the progress.

    Raises:
        MirrorError: a blob is not here or damaged.
    """
    gathered = Gathered()
    with parse_cache(mirror, config) as cache:
        blobs = list(dict.fromkeys(blob for _, blob in entries))
        known = cache.find(blobs)
        missing = {blob for blob in blobs if blob not in known}
        send(Progress("parsing", len(known), len(blobs)))
        for batch in _parse_missing(mirror, commit, _items(entries, missing, analysed), config):
            fresh = {blob: data for blob, data in batch.parsed.items() if blob in missing}
            cache.keep(fresh)
            known.update(fresh)
            gathered.add(batch.analysed)
            send(Progress("parsing", len(known), len(blobs)))
        _prune(cache, blobs)
    documents = []
    fast_count = 0
    for path, blob in entries:
        parsed = _decode(known[blob])
        fast_count += parsed.fast
        documents.append(place_document(parsed, path, blob))
    return Parsed(tuple(documents), len(missing), fast_count, gathered)


def _items(
    entries: Sequence[Entry], missing: Collection[str], analysed: Container[str]
) -> list[Item]:
    """Return what has to be read: each blob that was never parsed once, and what is analysed."""
    left = set(missing)
    items = []
    for path, blob in entries:
        is_analysed = path in analysed
        if is_analysed or blob in left:
            items.append(Item(path, blob, is_analysed))
            left.discard(blob)
    return items


def _prune(cache: ParseCache, blobs: Sequence[str]) -> None:
    if len(blobs) >= _WORTH_SHARING:
        cache.forget_others(blobs)


def _parse_missing(
    mirror: Mirror, commit: str, items: Sequence[Item], config: TreeConfig
) -> Iterator[Batch]:
    batches = [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
    cores = len(os.sched_getaffinity(0))
    if len(items) < _WORTH_SHARING or cores == 1:
        snapshot, vocabulary = open_snapshot(mirror.root, mirror.source_id, commit), Vocabulary()
        for batch in batches:
            yield parse_batch(snapshot, batch, config, vocabulary)
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["brain.builder.parse_worker"])
    with ProcessPoolExecutor(
        cores, context, initializer=open_worker, initargs=(mirror, commit, config)
    ) as workers:
        yield from workers.map(parse_opened, batches)
