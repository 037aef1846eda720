"""Chunks of a document."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from brain.markdown.line_index import line_offsets
from brain.search.chunk import Chunk
from brain.search.text_units import MAX_UNIT_TOKENS, Part, Unit, parts_of, split_units
from brain.search.tokens import rough_tokens
from brain.tree.document import DocumentRow
from brain.tree.node import Node, node_id

#: A longer node is cut into chunks between the two.
LEAST_TOKENS = 200
GOOD_TOKENS = 500
MAX_TOKENS = MAX_UNIT_TOKENS
#: Characters of a node that are searched; the rest is read like any text.
MAX_NODE_CHARS = 400_000
#: Longer text hardly ever has as few tokens as `GOOD_TOKENS`.
_PERHAPS_SHORT = 5 * GOOD_TOKENS
#: Not even ASCII of one token a character is too much; how many tokens it has matters to nobody.
_SURELY_SHORT = MAX_TOKENS
_CHARS_OF_TOKEN = 4
_FRONT_MATTER_ALONE = re.compile(r"---[ \t\r]*\n(?:(?!---|\.\.\.).*\n)*+(?:---|\.\.\.)\s*")


def chunk_document(row: DocumentRow, text: str) -> list[Chunk]:
    """Cut a document into chunks, in document order.

    A chunk is a piece of one node's own lines. A node of up to `GOOD_TOKENS` is one chunk; a longer
    one becomes pieces of `LEAST_TOKENS` to `GOOD_TOKENS`, cut between paragraphs, or wherever must
    be to stay within `MAX_TOKENS`. A fenced block is cut only when it alone is longer. A node whose
    own lines are blank has no chunk: its title stands in the headings of those beneath it. Nor has
    a document that says nothing of its own but front matter without a summary: what it is called is
    a field of every chunk, and one that answers nothing would take the place of one that does.

    Args:
        row: the document at its path.
        text: the whole blob decoded, as `brain.markdown.line_index.decode_text` does.
    """
    offsets = line_offsets(text)
    names = _names(row)
    chunks: list[Chunk] = []
    for node in row.nodes:
        if node.own_line_end < node.line_start:
            continue
        start = offsets[node.line_start - 1]
        own = text[start : min(offsets[node.own_line_end], start + MAX_NODE_CHARS)]
        if not own.isspace() and not (node.parent < 0 and _is_bare(row, own)):
            said = _Said(node_id(row.path, node.anchor), node.title, _headings(row, node), names)
            chunks += said.chunks(own, offsets, start)
    return chunks


def _is_bare(row: DocumentRow, own: str) -> bool:
    """Tell whether a document's own lines are front matter alone, and say no more than names."""
    is_told = len(row.nodes) == 1 or row.nodes[0].summary_source == "front-matter"
    return not is_told and _FRONT_MATTER_ALONE.fullmatch(own) is not None


def chunk_id(node: str, part: int) -> str:
    """Return the id of a node's chunk: 16 hex digits."""
    return hashlib.sha256(f"{node}\0{part}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _names(row: DocumentRow) -> str:
    # Without its ending: in every path, it would make a common word of the "MD" in "MD&A".
    path = row.path[: -len(".md")]
    facts = row.facts
    return " ".join(filter(None, (path, facts.id, facts.page_id, facts.space, *facts.aliases)))


def _headings(row: DocumentRow, node: Node) -> str:
    titles: list[str] = []
    while node.parent >= 0:
        node = row.nodes[node.parent]
        titles.append(node.title)
    return " > ".join((*reversed(titles), *row.facts.labels))


class _Said:
    """What every chunk of one node says about it."""

    def __init__(self, node: str, title: str, headings: str, names: str) -> None:
        self._node = node
        self._title = title
        self._headings = headings
        self._names = names

    def chunks(self, own: str, offsets: Sequence[int], start: int) -> Iterator[Chunk]:
        for number, piece in enumerate(pieces_of(own)):
            first, end = start + piece.parts[0][0], start + piece.parts[-1][1]
            yield Chunk(
                id=chunk_id(self._node, number),
                node_id=self._node,
                part=number,
                line_start=bisect_right(offsets, first),
                line_end=bisect_right(offsets, end - 1),
                char_start=first,
                char_end=end,
                tokens=piece.tokens,
                title=self._title,
                headings=self._headings,
                names=self._names,
                text="".join(own[at:to] for at, to, is_code in piece.parts if not is_code),
                code="".join(own[at:to] for at, to, is_code in piece.parts if is_code),
            )


class Piece(msgspec.Struct, frozen=True):
    """What of a node's text becomes one chunk."""

    tokens: int
    parts: list[Part]


def pieces_of(text: str) -> list[Piece]:
    """Cut a node's text, not empty, into pieces that cover it."""
    if len(text) <= _PERHAPS_SHORT:
        parts = list(parts_of(text))
        is_short = len(text) <= _SURELY_SHORT and len(parts) == 1 and text.isascii()
        tokens = len(text) // _CHARS_OF_TOKEN + 1 if is_short else rough_tokens(text)
        if tokens <= GOOD_TOKENS:
            return [Piece(tokens, parts)]
    return [
        Piece(_tokens(units), [(unit.start, unit.end, unit.is_code) for unit in units])
        for units in pack_units(split_units(text))
    ]


def pack_units(units: Sequence[Unit]) -> list[list[Unit]]:
    """Group units into chunks of about equal size.

    A group ends when it has its share of the whole and `LEAST_TOKENS`, or when the next unit
    does not fit. A last group below `LEAST_TOKENS` joins the one before if both fit.
    """
    total = sum(unit.tokens for unit in units)
    share = total / -(-total // GOOD_TOKENS) if total else 0
    groups: list[list[Unit]] = []
    tokens = 0
    for unit in units:
        most = GOOD_TOKENS if tokens >= LEAST_TOKENS else MAX_TOKENS
        is_full = tokens >= max(share, LEAST_TOKENS) and total > GOOD_TOKENS
        if not groups or is_full or tokens + unit.tokens > most:
            groups.append([])
            tokens = 0
        groups[-1].append(unit)
        tokens += unit.tokens
    if len(groups) > 1 and tokens < LEAST_TOKENS and tokens + _tokens(groups[-2]) <= MAX_TOKENS:
        groups[-2:] = [groups[-2] + groups[-1]]
    return groups


def _tokens(units: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in units)
