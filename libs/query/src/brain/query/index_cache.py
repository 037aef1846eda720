"""One byte-bounded LRU a process, keyed by (source, commit, …): such an entry never goes stale."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

_DEFAULT_BYTES = 64 * 1024 * 1024


class IndexCache:
    """A least-recently-used cache whose entries say how many bytes they hold."""

    def __init__(self, max_bytes: int = _DEFAULT_BYTES) -> None:
        self._entries: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._lock = Lock()
        self._max_bytes = max_bytes
        self._size_bytes = 0

    def get(self, key: Hashable) -> object | None:
        """Return an entry and mark it used; None when it is not held."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Hashable, value: object, size_bytes: int) -> None:
        """Hold a value; the least recently used make room. Larger than the cache is not held."""
        if size_bytes > self._max_bytes:
            return
        with self._lock:
            previous = self._entries.pop(key, None)
            if previous is not None:
                self._size_bytes -= previous[1]
            self._entries[key] = (value, size_bytes)
            self._size_bytes += size_bytes
            while self._size_bytes > self._max_bytes:
                _, (_, freed) = self._entries.popitem(last=False)
                self._size_bytes -= freed

    @property
    def size_bytes(self) -> int:
        """Bytes held."""
        return self._size_bytes

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._entries.clear()
            self._size_bytes = 0
