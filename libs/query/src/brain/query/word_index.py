"""Word index: which texts cannot hold a search text, so that grep passes over them unread.

A text is cut into runs of letters, digits, underscores and bytes beyond ASCII. Wherever a search
text stands, each of its own runs stands within one run of that text, and begins or ends it where
the search text goes on with something else; so a text that has no such run cannot match. What is
left is searched as ever: the index only saves work.
"""

import re
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

_RUN = re.compile(rb"[0-9a-z_\x80-\xff]+")
#: Shorter runs stand in nearly every text.
_SHORTEST = 3
#: So few texts are searched sooner than narrowed further.
_FEW = 100


class WordIndex:
    """The runs of some texts, held compactly; it never changes.

    Args:
        texts: folded texts by blob, 65,535 at most.
    """

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._blobs = tuple(texts)
        self.known = frozenset(texts)
        numbers: dict[bytes, array[int]] = {}
        for number, text in enumerate(texts.values()):
            for run in set(_RUN.findall(text)):
                held = numbers.get(run)
                if held is None:
                    numbers[run] = array("H", (number,))
                else:
                    held.append(number)
        self._runs = b"\n".join((b"", *numbers, b""))
        #: Where each run starts in the joined runs, and its first number in the joined numbers.
        self._starts, self._firsts, self._numbers = array("I"), array("I"), array("H")
        at = 1
        for run, held in numbers.items():
            self._starts.append(at)
            self._firsts.append(len(self._numbers))
            self._numbers.extend(held)
            at += len(run) + 1
        self._firsts.append(len(self._numbers))

    @property
    def size_bytes(self) -> int:
        """Bytes held, about."""
        parts = (self._runs, self._starts, self._firsts, self._numbers, self._blobs, self.known)
        return sum(map(sys.getsizeof, parts))

    def without(self, needles: Iterable[bytes]) -> frozenset[str]:
        """Return the blobs of known texts that cannot hold every needle.

        Args:
            needles: folded search texts.
        """
        wanted = {run for needle in needles for run in _bounded_runs(needle)}
        longest = sorted(wanted, key=lambda run: (-len(run), run))
        if not longest:
            return frozenset()
        return self.known.difference(map(self._blobs.__getitem__, self._narrowed(longest)))

    def _narrowed(self, runs: Sequence[bytes]) -> set[int]:
        """Return the numbers of the texts that hold each run; stops when they are few."""
        first, *others = runs
        left = self._holders(first)
        for run in others:
            if len(left) <= _FEW:
                break
            left &= self._holders(run)
        return left

    def _holders(self, run: bytes) -> set[int]:
        found: set[int] = set()
        for place in self._places(run):
            found.update(self._numbers[self._firsts[place] : self._firsts[place + 1]])
        return found

    def _places(self, run: bytes) -> Iterator[int]:
        """Yield the place of every known run that holds a run, newlines being its bounds."""
        at = self._runs.find(run)
        while at >= 0:
            place = bisect_right(self._starts, at + run.startswith(b"\n")) - 1
            yield place
            if place + 1 == len(self._starts):
                return
            at = self._runs.find(run, self._starts[place + 1] - 1)


def _bounded_runs(needle: bytes) -> Iterator[bytes]:
    """Yield the runs of a search text, with a newline where one must begin or end a known run."""
    for match in _RUN.finditer(needle):
        start, end = match.span()
        if end - start >= _SHORTEST:
            yield b"\n" * (start > 0) + match[0] + b"\n" * (end < len(needle))
