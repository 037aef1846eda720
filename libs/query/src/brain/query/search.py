"""Search: the best chunks for a question, each with its node, its lines and what it says."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime

import msgspec

from brain.markdown.front_matter import read_front_matter
from brain.markdown.line_index import decode_shown
from brain.query.errors import BadRequestError
from brain.query.freshness import Freshness
from brain.query.node_ref import document_nodes
from brain.query.ranking import Filters, Mode, Ranked, rank
from brain.query.read import Citation
from brain.query.reader import Reader
from brain.query.snippet import Snippets
from brain.query.standing import standing_of
from brain.query.view import View
from brain.search.chunk_place import ChunkPlace
from brain.search.confidence import THRESHOLD
from brain.search.fusion import Fused
from brain.store.index import StoredDocument
from brain.store.pointer import Pointer
from brain.tree.node import node_id

DEFAULT_K = 8
MOST_K = 50
#: Chunks of one document among the hits.
_MOST_OF_DOCUMENT = 2


class LegPlace(msgspec.Struct, frozen=True, rename="camel"):
    """Where one leg ranked a chunk, from 1, and the score it gave."""

    leg: str
    rank: int
    score: float


class Hit(msgspec.Struct, frozen=True, rename="camel"):
    """One chunk that answers the question."""

    chunk_id: str
    node_id: str
    title: str
    breadcrumb: str
    citation: Citation
    score: float
    #: The legs that found it.
    sources: list[str]
    snippet: str
    tokens: int
    #: Why the document no longer holds, and what took its place.
    status: str | msgspec.UnsetType = msgspec.UNSET
    replaced_by: str | msgspec.UnsetType = msgspec.UNSET
    #: Where each leg ranked it, when asked to explain.
    explain: list[LegPlace] | msgspec.UnsetType = msgspec.UNSET


class SearchAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """The hits of a search, best first."""

    project_id: str
    query: str
    mode: str
    hits: list[Hit]
    #: 0 to 1; below `brain.search.confidence.THRESHOLD` nothing here seems to answer.
    confidence: float
    is_likely: bool
    warnings: list[str]


class Passage(msgspec.Struct, frozen=True):
    """A ranked chunk with everything but its text."""

    number: int
    fused: Fused
    document: StoredDocument
    place: ChunkPlace
    scope: str
    status: str
    replaced_by: str

    @property
    def node_id(self) -> str:
        """The node that the chunk is a piece of."""
        node = document_nodes(self.document)[self.place.node]
        return node_id(self.document.path, node.anchor)

    @property
    def breadcrumb(self) -> str:
        """Titles from the document down to the node; a document's only top heading stands once."""
        nodes = document_nodes(self.document)
        titles: list[str] = []
        number = self.place.node
        while number >= 0:
            if not titles or titles[-1] != nodes[number].title:
                titles.append(nodes[number].title)
            number = nodes[number].parent
        return " > ".join(reversed(titles))

    def text_of(self, data: bytes) -> str:
        """Return the chunk's text, given the document's bytes."""
        return decode_shown(data)[self.place.char_start : self.place.char_end]


class Prose(msgspec.Struct, frozen=True):
    """A chunk's text without the front matter before it, and where it begins."""

    text: str
    line_start: int
    char_start: int


def prose_of(passage: Passage, data: bytes) -> Prose:
    """Return what a chunk tells a reader; empty text when it is front matter alone.

    Args:
        passage: the chunk.
        data: the document's bytes.
    """
    text = decode_shown(data)
    place = passage.place
    start = place.char_start
    if start == 0:
        mark = len(text) - len(text.removeprefix("\ufeff"))
        length = read_front_matter(text[mark:]).length
        start = min(mark + length, place.char_end) if length else 0
    skipped = text.count("\n", place.char_start, start)
    line_start = min(place.line_start + skipped, place.line_end)
    return Prose(text[start : place.char_end], line_start, start)


class SearchOptions(msgspec.Struct, frozen=True):
    """How a search is done."""

    filters: Filters = Filters()
    mode: Mode = "hybrid"
    k: int = DEFAULT_K
    explain: bool = False


async def search_answer(
    reader: Reader, project_id: str, query: str, options: SearchOptions
) -> SearchAnswer:
    """Search the indexed commit of a project.

    At most two chunks of one document are among the hits.

    Raises:
        BadRequestError: the query, *k* or a filter means nothing.
        TextUnavailableError: the objects have not arrived.
    """
    if not 1 <= options.k <= MOST_K:
        raise BadRequestError("k", f"must be 1 to {MOST_K}.")

    async def use(view: View) -> tuple[Pointer, Ranked, list[Passage]]:
        ranked = await rank(view, query, options.filters, options.mode)
        entries = _limited(ranked, options.k, _MOST_OF_DOCUMENT)
        return view.pointer, ranked, await passages(view, ranked, entries)

    pointer, ranked, found = await reader.answer(project_id, use)
    texts = await reader.texts.read_all(pointer, [each.document.blob for each in found])

    def shown() -> list[Hit]:
        snippets = Snippets(query)
        return [
            _hit(each, _snippet(each, data, snippets), pointer, options)
            for each, data in zip(found, texts, strict=True)
        ]

    hits = await asyncio.to_thread(shown)
    freshness = await reader.freshness(pointer)
    return SearchAnswer(
        **msgspec.structs.asdict(freshness),
        project_id=project_id,
        query=query,
        mode=options.mode,
        hits=hits,
        confidence=round(ranked.confidence, 4),
        is_likely=bool(hits) and ranked.confidence >= THRESHOLD,
        warnings=[*ranked.warnings, *_unlikely(ranked, hits)],
    )


def _unlikely(ranked: Ranked, hits: Sequence[Hit]) -> list[str]:
    if hits and ranked.confidence >= THRESHOLD:
        return []
    nearest = ", ".join(dict.fromkeys(hit.node_id for hit in hits[:3]))
    hint = f" Nearest: {nearest}." if nearest else ""
    return [f"The knowledge base does not seem to hold this.{hint}"]


async def passages(
    view: View,
    ranked: Ranked,
    entries: Sequence[tuple[int, Fused]],
    *,
    today: date | None = None,
) -> list[Passage]:
    """Return the chunks of *entries* with their documents and places, in order."""
    index = ranked.index
    numbers = [int(index.collection.documents[number]) for number, _ in entries]
    paths = list(dict.fromkeys(index.documents[each].path for each in numbers))
    places = await view.places(paths)
    documents = {document.path: document for document in await view.documents(paths)}
    day = today or datetime.now(UTC).date()
    found = []
    for (number, fused), document in zip(entries, numbers, strict=True):
        path = index.documents[document].path
        standing = standing_of(index, document, day)
        found.append(
            Passage(
                number,
                fused,
                documents[path],
                places[path][number - int(index.joined.firsts[document])],
                index.scopes[document],
                standing.status if standing else "",
                standing.replaced_by if standing else "",
            )
        )
    return found


def _limited(ranked: Ranked, k: int, most: int) -> list[tuple[int, Fused]]:
    """Return the best *k*, at most *most* of each document."""
    counts: dict[int, int] = {}
    kept = []
    for number, fused in ranked.entries:
        document = int(ranked.index.collection.documents[number])
        counts[document] = counts.get(document, 0) + 1
        if counts[document] <= most:
            kept.append((number, fused))
    return kept[:k]


def _snippet(passage: Passage, data: bytes, snippets: Snippets) -> str:
    """Return what a hit says; of front matter and headings alone the summary says it better."""
    prose = prose_of(passage, data).text
    if any(line.strip() and not line.startswith("#") for line in prose.split("\n")):
        return snippets.of(prose)
    node = document_nodes(passage.document)[passage.place.node]
    return node.summary or snippets.of(passage.text_of(data))


def _hit(passage: Passage, snippet: str, pointer: Pointer, options: SearchOptions) -> Hit:
    places = [LegPlace(each.leg, each.rank, round(each.score, 6)) for each in passage.fused.places]
    return Hit(
        chunk_id=passage.fused.id,
        node_id=passage.node_id,
        title=document_nodes(passage.document)[passage.place.node].title,
        breadcrumb=passage.breadcrumb,
        citation=Citation(
            node_id=passage.node_id,
            path=passage.document.path,
            line_start=passage.place.line_start,
            line_end=passage.place.line_end,
            commit=pointer.commit,
        ),
        score=round(passage.fused.score, 6),
        sources=[each.leg for each in passage.fused.places],
        snippet=snippet,
        tokens=passage.place.tokens,
        status=passage.status or msgspec.UNSET,
        replaced_by=passage.replaced_by or msgspec.UNSET,
        explain=places if options.explain else msgspec.UNSET,
    )
