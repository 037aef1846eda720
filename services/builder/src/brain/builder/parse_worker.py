"""The parse worker: what a process that only parses has to import, and nothing else."""

import gc
from collections.abc import Sequence

import msgspec

from brain.builder.analysis import Analysed, Analysis
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.search.vocabulary import Vocabulary
from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document

_encode = msgspec.msgpack.Encoder().encode


class Item(msgspec.Struct, frozen=True, array_like=True):
    """A document to read."""

    path: str
    blob: str
    #: Whether its chunks are wanted for search.
    is_analysed: bool


class Batch(msgspec.Struct, frozen=True):
    """What some documents gave."""

    #: Encoded `ParsedDocument` by blob, in MessagePack.
    parsed: dict[str, bytes]
    analysed: Analysed


#: What this process parses; set once by its initializer.
_opened: list[tuple[Snapshot, TreeConfig, Vocabulary]] = []


def open_worker(mirror: Mirror, commit: str, config: TreeConfig) -> None:
    """Make ready to parse blobs of a commit in this process."""
    gc.disable()  # parsed documents hold no cycles, and the process ends with its batches
    snapshot = open_snapshot(mirror.root, mirror.source_id, commit)
    _opened.append((snapshot, config, Vocabulary()))


def parse_opened(items: Sequence[Item]) -> Batch:
    """Parse documents of the commit that this process was made ready for; see `parse_batch`."""
    snapshot, config, vocabulary = _opened[0]
    return parse_batch(snapshot, items, config, vocabulary)


def parse_batch(
    snapshot: Snapshot, items: Sequence[Item], config: TreeConfig, vocabulary: Vocabulary
) -> Batch:
    """Parse documents, and read the chunks of those that are analysed.

    Raises:
        MirrorError: a blob is not here or damaged.
    """
    parsed: dict[str, bytes] = {}
    analysis = Analysis(vocabulary)
    for item in items:
        data = snapshot.read_blob(item.blob)
        document = parse_document(data, config)
        parsed[item.blob] = _encode(document)
        if item.is_analysed:
            analysis.add(document, item.path, item.blob, data)
    return Batch(parsed, analysis.analysed())
