"""Grep: the lines that hold every word, or the quoted phrase, each in its deepest node."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from brain.gitmirror.snapshot import Snapshot
from brain.markdown.line_index import decode_shown
from brain.query.errors import BadRequestError, NodeNotFoundError
from brain.query.folded_texts import FoldedTexts, fold
from brain.query.node_ref import FoundNode, document_nodes, find_node
from brain.query.reader import Reader
from brain.query.view import View
from brain.store.index import StoredDocument, StoredHead
from brain.store.pointer import Pointer
from brain.tree.node import id_readings, node_id

MOST_MATCHES = 50
_MOST_WORDS = 16
_SHORTEST = 2
_LONGEST_TEXT = 1_000
_LONGEST_LINE = 500


class Pattern(msgspec.Struct, frozen=True):
    """What a line must hold: every needle, in any order."""

    needles: tuple[str, ...]
    fold: bool

    def matches(self, line: str) -> bool:
        """Tell whether a line holds every needle."""
        text = line.casefold() if self.fold else line
        return all(needle in text for needle in self.needles)


class GrepMatch(msgspec.Struct, frozen=True, rename="camel"):
    """One line. A line over 500 characters is cut around the first needle."""

    node_id: str
    path: str
    line: int
    text: str


class GrepResult(msgspec.Struct, frozen=True, rename="camel"):
    """At most 50 lines in path and line order; truncated when there were more."""

    matches: list[GrepMatch]
    truncated: bool


class GrepScope(msgspec.Struct, frozen=True):
    """Which documents are searched. Empty fields do not narrow."""

    #: A folder, a document, or a node with an anchor, of which only its own lines count.
    under: str = ""
    space: str = ""
    label: str = ""


def parse_pattern(text: str, *, phrase: bool, ignore_case: bool) -> Pattern:
    """Read a search text: words in any order, or one phrase when quoted or asked for.

    The text is always literal: no character of it means anything but itself.

    Raises:
        BadRequestError: it is empty, too short, too long, or has more than 16 words.
    """
    if len(text) > _LONGEST_TEXT:
        raise BadRequestError("text", f"must not be longer than {_LONGEST_TEXT:,} characters.")
    stripped = text.strip()
    quoted = len(stripped) > _SHORTEST and stripped[0] == stripped[-1] == '"'
    whole = stripped[1:-1] if quoted else stripped
    needles = [whole] if quoted or phrase else stripped.split()
    if not needles or not any(needle.strip() for needle in needles):
        raise BadRequestError("text", "must hold at least one word.")
    if any("\n" in needle for needle in needles):
        raise BadRequestError("text", "must be one line.")
    if len(needles) > _MOST_WORDS:
        raise BadRequestError("text", f"must not hold more than {_MOST_WORDS} words.")
    if max(map(len, needles)) < _SHORTEST:
        raise BadRequestError("text", f"must hold a word of at least {_SHORTEST} characters.")
    folded = (needle.casefold() if ignore_case else needle for needle in needles)
    return Pattern(tuple(dict.fromkeys(folded)), ignore_case)


async def grep(
    reader: Reader, project_id: str, pattern: Pattern, scope: GrepScope
) -> tuple[Pointer, GrepResult]:
    """Search the text of the indexed documents in path order.

    Space and label narrow the documents before the 50 lines are cut.

    Raises:
        what `Reader.answer` raises, NodeNotFoundError when `under` has an anchor that the document
        has not, and TextUnavailableError when objects are not here.
    """
    pointer, place = await reader.answer(project_id, lambda view: _select(view, scope))
    lines = await reader.texts.run(
        pointer, lambda snapshot: _search(reader.folded, pointer, snapshot, place, pattern)
    )
    if reader.folded.wants_index(pointer.source_id):
        reader.texts.later(lambda: reader.folded.index(pointer.source_id))
    paths = list(dict.fromkeys(path for path, _, _ in lines[:MOST_MATCHES]))
    documents = await reader.answer(project_id, lambda view: _documents_at(view, pointer, paths))
    found = [
        GrepMatch(_deepest(documents.get(path), path, number), path, number, text)
        for path, number, text in lines[:MOST_MATCHES]
    ]
    return pointer, GrepResult(found, truncated=len(lines) > MOST_MATCHES)


class _Place(msgspec.Struct, frozen=True):
    """Where to search: documents in path order, and of a single one the lines of a node."""

    heads: list[StoredHead]
    #: Every document of the commit.
    every: list[StoredHead]
    first: int = 1
    last: int = sys.maxsize


async def _select(view: View, scope: GrepScope) -> tuple[Pointer, _Place]:
    path, anchor = next(id_readings(scope.under.strip().removeprefix("/")))
    every = await view.heads()
    if not anchor:
        return view.pointer, _Place(_narrowed(every, path.rstrip("/"), scope), every)
    found = await find_node(view, scope.under)
    if not isinstance(found, FoundNode):
        raise NodeNotFoundError(scope.under)
    heads = _narrowed(every, found.document.path, scope)
    return view.pointer, _Place(heads, every, found.node.line_start, found.node.line_end)


def _narrowed(every: list[StoredHead], under: str, scope: GrepScope) -> list[StoredHead]:
    if not (under or scope.space or scope.label):
        return every
    return [head for head in every if _is_within(head, under, scope)]


def _is_within(stored: StoredHead, under: str, scope: GrepScope) -> bool:
    if under and stored.path != under and not stored.path.startswith(f"{under}/"):
        return False
    facts = stored.head.facts
    return (not scope.space or facts.space == scope.space) and (
        not scope.label or scope.label in facts.labels
    )


def _search(
    texts: FoldedTexts, pointer: Pointer, snapshot: Snapshot, place: _Place, pattern: Pattern
) -> list[tuple[str, int, str]]:
    """Return the first 51 matching lines as (path, line number, line as it is shown)."""
    found: list[tuple[str, int, str]] = []
    blobs = (stored.blob for stored in place.every)
    held = texts.of_commit(pointer.source_id, pointer.commit, blobs)
    # The longest word is the rarest by far: most documents are passed over after one look.
    needles = sorted((fold(needle.encode()) for needle in pattern.needles), key=len, reverse=True)
    longest, *others = needles
    without = texts.without(pointer.source_id, needles)
    for stored in place.heads:
        if stored.blob in without:
            continue
        folded = held.get(stored.blob)
        if folded is None:
            folded = texts.fill(pointer.source_id, held, snapshot, stored.blob)
        if longest not in folded or not all(needle in folded for needle in others):
            continue
        matching = _matching_numbers(folded, needles)
        numbers = (number for number in matching if place.first <= number <= place.last)
        for number, line in _lines(snapshot, stored.blob, numbers):
            if pattern.fold or pattern.matches(line):
                found.append((stored.path, number, shown_part(line, pattern)))
            if len(found) > MOST_MATCHES:
                return found
    return found


def _matching_numbers(folded: bytes, needles: Sequence[bytes]) -> Iterator[int]:
    """Yield the numbers of the lines that hold every needle; the first needle leads."""
    first, *others = needles
    at, counted, number = folded.find(first), 0, 1
    while at >= 0:
        start = folded.rfind(b"\n", 0, at) + 1
        end = folded.find(b"\n", at)
        end = len(folded) if end < 0 else end
        number += folded.count(b"\n", counted, start)
        counted = start
        if all(folded.find(needle, start, end) >= 0 for needle in others):
            yield number
        at = folded.find(first, end)


def _lines(snapshot: Snapshot, blob: str, numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield some lines of a document as they are written; reads it when there is a first."""
    lines: list[bytes] = []
    for number in numbers:
        lines = lines or snapshot.read_blob(blob).split(b"\n")
        yield number, decode_shown(lines[number - 1]).removesuffix("\r")


async def _documents_at(
    view: View, pointer: Pointer, paths: Sequence[str]
) -> dict[str, StoredDocument]:
    if view.pointer.commit != pointer.commit:
        return {}
    return {document.path: document for document in await view.documents(paths)}


def _deepest(document: StoredDocument | None, path: str, line: int) -> str:
    if document is None:
        return path
    nodes = document_nodes(document)
    starts = [node.line_start for node in nodes[1:]]
    return node_id(path, nodes[bisect_right(starts, line)].anchor)


def shown_part(line: str, pattern: Pattern) -> str:
    """Return a line, of a long one the 500 characters around the first needle."""
    if len(line) <= _LONGEST_LINE:
        return line
    text = line.casefold() if pattern.fold else line
    at = text.find(pattern.needles[0])
    if len(text) != len(line):
        at = _unfolded(line, at)
    start = max(0, at - _LONGEST_LINE // 4)
    return line[start : start + _LONGEST_LINE]


def _unfolded(line: str, at: int) -> int:
    """Return the character of a line that gave a position of its folded text: `ß` folds to two."""
    folded = 0
    for position, character in enumerate(line):
        folded += len(character.casefold())
        if folded > at:
            return position
    return len(line)
