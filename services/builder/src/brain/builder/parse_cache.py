"""The parse cache: what a blob parsed to, kept beside the mirror; disposable.

Keyed by blob, for one builder version and one config at a time. It is free of paths, so a document
that moved is not parsed again. A lost or damaged cache costs time and nothing else.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from brain.builder.version import BUILDER_VERSION
from brain.gitmirror.mirror import Mirror
from brain.tree.config import TreeConfig

_SCHEMA = """
create table if not exists made_by (tag blob primary key) without rowid;
create table if not exists parsed (blob blob primary key, document blob not null) without rowid;
"""
_ASKED_AT_ONCE = 500


class ParseCache:
    """Parsed documents, encoded, by blob id in hex."""

    def __init__(self, connection: sqlite3.Connection | None) -> None:
        self._connection = connection

    def find(self, blobs: Sequence[str]) -> dict[str, bytes]:
        """Return what is known of those blobs."""
        found: dict[str, bytes] = {}
        if self._connection is None:
            return found
        with contextlib.suppress(sqlite3.Error):
            for start in range(0, len(blobs), _ASKED_AT_ONCE):
                part = [bytes.fromhex(blob) for blob in blobs[start : start + _ASKED_AT_ONCE]]
                marks = ",".join("?" * len(part))
                query = f"select blob, document from parsed where blob in ({marks})"  # noqa: S608 - marks only
                found.update(
                    (row[0].hex(), row[1]) for row in self._connection.execute(query, part)
                )
        return found

    def keep(self, documents: Mapping[str, bytes]) -> None:
        """Remember parsed documents."""
        if self._connection is None:
            return
        rows = ((bytes.fromhex(blob), document) for blob, document in documents.items())
        with contextlib.suppress(sqlite3.Error), self._connection:
            self._connection.executemany("insert or ignore into parsed values (?, ?)", rows)

    def forget_others(self, blobs: Sequence[str]) -> None:
        """Forget every blob that is not among these, when many are not."""
        if self._connection is None:
            return
        with contextlib.suppress(sqlite3.Error), self._connection:
            (count,) = self._connection.execute("select count(*) from parsed").fetchone()
            if count <= 2 * len(blobs):
                return
            self._connection.execute("create temp table present (blob blob primary key)")
            self._connection.executemany(
                "insert or ignore into present values (?)",
                ((bytes.fromhex(blob),) for blob in blobs),
            )
            self._connection.execute(
                "delete from parsed where blob not in (select blob from present)"
            )


@contextmanager
def parse_cache(mirror: Mirror, config: TreeConfig) -> Iterator[ParseCache]:
    """Open the cache of a source; what another version or config parsed is forgotten."""
    tag = msgspec.msgpack.encode((BUILDER_VERSION, config))
    connection = _opened(mirror, tag)
    try:
        yield ParseCache(connection)
    finally:
        if connection is not None:
            connection.close()


def _opened(mirror: Mirror, tag: bytes) -> sqlite3.Connection | None:
    """Open the file; a damaged one is made anew, and without a file there is no cache."""
    for _ in range(2):
        try:
            return _connect(mirror, tag)
        except (sqlite3.Error, OSError):
            with contextlib.suppress(OSError):
                mirror.parsed.unlink(missing_ok=True)
    return None


def _connect(mirror: Mirror, tag: bytes) -> sqlite3.Connection:
    connection = sqlite3.connect(mirror.parsed, timeout=2.0)
    try:
        # Losing the cache with the machine is fine; a killed process must not damage it.
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = off")
        connection.executescript(_SCHEMA)
        with connection:
            if connection.execute("select tag from made_by").fetchall() != [(tag,)]:
                connection.execute("delete from parsed")
                connection.execute("delete from made_by")
                connection.execute("insert into made_by values (?)", (tag,))
    except sqlite3.Error:
        connection.close()
        raise
    return connection
