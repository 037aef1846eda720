"""The parse worker: what a process that only parses has to import, and nothing else."""

import gc
from collections.abc import Sequence

import msgspec

from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document

_encode = msgspec.msgpack.Encoder().encode

#: What this process parses; set once by its initializer.
_opened: list[tuple[Snapshot, TreeConfig]] = []


def open_worker(mirror: Mirror, commit: str, config: TreeConfig) -> None:
    """Make ready to parse blobs of a commit in this process."""
    gc.disable()  # parsed documents hold no cycles, and the process ends with its batches
    _opened.append((open_snapshot(mirror.root, mirror.source_id, commit), config))


def parse_opened(batch: Sequence[str]) -> dict[str, bytes]:
    """Parse blobs of the commit that this process was made ready for; see `parse_batch`."""
    snapshot, config = _opened[0]
    return parse_batch(snapshot, batch, config)


def parse_batch(snapshot: Snapshot, batch: Sequence[str], config: TreeConfig) -> dict[str, bytes]:
    """Parse blobs and return each with its encoded `ParsedDocument`, in MessagePack.

    Raises:
        MirrorError: a blob is not here or damaged.
    """
    return {blob: _encode(parse_document(snapshot.read_blob(blob), config)) for blob in batch}
