"""Texts: document text from the mirror at the indexed commit, read on threads of their own."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from brain.gitmirror.ancestry import CommitError, is_ancestor, resolve_commit
from brain.gitmirror.history import count_ahead
from brain.gitmirror.libgit2 import MirrorError, ObjectMissingError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import Snapshot, open_snapshot
from brain.markdown.line_index import decode_shown
from brain.query.errors import TextUnavailableError
from brain.query.index_cache import IndexCache
from brain.store.pointer import Pointer

Result = TypeVar("Result")

_THREADS = 4
#: A read whose objects have not arrived waits this long before it answers 503.
_ARRIVAL_S = 2.0
_ARRIVAL_STEP_S = 0.1


class Pair(msgspec.Struct, frozen=True):
    """Two commits of one source: the one that is indexed, and the branch's tip."""

    source_id: int
    commit: str
    tip: str


class Texts:
    """Reads blobs of indexed commits; libgit2 never runs on the event loop."""

    def __init__(self, mirrors: Path, cache: IndexCache) -> None:
        self._mirrors = mirrors
        self._cache = cache
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="texts")
        self._local = threading.local()

    async def read(self, pointer: Pointer, blob: str) -> bytes:
        """Return the bytes of one blob of the indexed commit.

        Raises:
            TextUnavailableError: the object is not here, two seconds later either.
        """
        (data,) = await self.read_all(pointer, [blob])
        return data

    async def read_all(self, pointer: Pointer, blobs: Sequence[str]) -> list[bytes]:
        """Return the bytes of blobs of the indexed commit, in their order, on one thread.

        Raises:
            TextUnavailableError: an object is not here, two seconds later either.
        """
        held = {blob: cast("bytes | None", self._cache.get(("blob", blob))) for blob in blobs}
        missing = [blob for blob, data in held.items() if data is None]
        if missing:
            found = await self._run(lambda: [self._arrived(pointer, blob) for blob in missing])
            for blob, data in zip(missing, found, strict=True):
                self._cache.put(("blob", blob), data, len(data) + 200)
                held[blob] = data
        return [cast("bytes", held[blob]) for blob in blobs]

    async def run(self, pointer: Pointer, use: Callable[[Snapshot], Result]) -> Result:
        """Run work over the indexed commit's objects on a thread.

        Raises:
            TextUnavailableError: an object is not here.
        """
        return await self._run(lambda: use(self._open(pointer)))

    async def run_on_mirror(self, pointer: Pointer, use: Callable[[Mirror], Result]) -> Result:
        """Run work over the source's mirror on a thread.

        Raises:
            TextUnavailableError: an object is not here.
        """
        return await self._run(lambda: use(self._mirror(pointer)))

    def later(self, work: Callable[[], None]) -> None:
        """Have a thread do something that nobody waits for."""
        self._threads.submit(work)

    async def behind_by(self, pointer: Pointer | Pair) -> int | None:
        """Count the commits of the tip that the index does not have; None when unknown."""
        if not pointer.commit or not pointer.tip:
            return None
        if pointer.commit == pointer.tip:
            return 0
        key = ("behind", pointer.source_id, pointer.commit, pointer.tip)
        held = self._cache.get(key)
        if held is None:
            held = await self._run(
                lambda: count_ahead(self._mirror(pointer), pointer.commit, pointer.tip)
            )
            if held is None:
                return None
            self._cache.put(key, held, 200)
        return cast("int", held)

    async def has_reached(self, pointer: Pointer, commit: str) -> bool:
        """Tell whether the indexed commit is *commit* (abbreviated or not) or descends from it."""
        if pointer.commit.startswith(commit):
            return True

        return await self._run(lambda: self._descends(pointer, commit))

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Result]) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except MirrorError as error:
            raise TextUnavailableError from error

    def _arrived(self, pointer: Pointer, blob: str) -> bytes:
        """Read a blob, waiting a little for objects that are still on their way."""
        pause = threading.Event()
        waited = 0.0
        while True:
            try:
                return self._open(pointer).read_blob(blob)
            except ObjectMissingError:
                if waited >= _ARRIVAL_S:
                    raise
                pause.wait(_ARRIVAL_STEP_S)
                waited += _ARRIVAL_STEP_S

    def _mirror(self, pointer: Pointer | Pair) -> Mirror:
        return Mirror(self._mirrors, pointer.source_id)

    def _descends(self, pointer: Pointer, commit: str) -> bool:
        mirror = self._mirror(pointer)
        try:
            return is_ancestor(mirror, resolve_commit(mirror, commit), pointer.commit)
        except CommitError:
            return False

    def _open(self, pointer: Pointer) -> Snapshot:
        """Open the snapshot once a thread and commit; a new commit replaces the old."""
        held: dict[int, tuple[str, Snapshot]] = self._local.__dict__.setdefault("open", {})
        known = held.get(pointer.source_id)
        if known is None or known[0] != pointer.commit:
            snapshot = open_snapshot(self._mirrors, pointer.source_id, pointer.commit)
            if len(held) >= _THREADS * 2:
                held.clear()
            held[pointer.source_id] = known = (pointer.commit, snapshot)
        return known[1]


def lines_of(data: bytes, first: int, last: int) -> list[str]:
    """Return lines *first* to *last* (1-based, inclusive) without their LF; only LF ends a line.

    What is not UTF-8, and U+0000, become U+FFFD.
    """
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return [decode_shown(line) for line in lines[first - 1 : last]]
