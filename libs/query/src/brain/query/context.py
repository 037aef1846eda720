"""Context: ranked passages with their text, within a token budget."""

import asyncio
from collections.abc import Sequence

import msgspec

from brain.query.errors import BadRequestError
from brain.query.freshness import PlainFreshness
from brain.query.governing import led_by_paths, require_paths
from brain.query.ranking import Filters, Ranked, rank
from brain.query.reader import Reader
from brain.query.scopes import chosen_scopes
from brain.query.search import MOST_K, Passage, Prose, passages, prose_of
from brain.query.view import View
from brain.search.code_paths import clean_paths
from brain.search.tokens import estimate_tokens
from brain.search.truncation import least_head, truncate
from brain.store.pointer import Pointer

DEFAULT_TOKENS = 2_000
MOST_TOKENS = 100_000
DEFAULT_K = 8


class ContextChunk(msgspec.Struct, frozen=True):
    """One ranked passage with its text."""

    chunk_id: str
    doc_path: str
    heading: str
    content: str
    score: float
    tokens: int
    scope: str
    node_id: str
    line_start: int
    line_end: int
    #: Why the document no longer holds; empty when it does.
    status: str


class ContextAnswer(PlainFreshness, frozen=True, kw_only=True):
    """Passages best first; their texts together stay within the budget."""

    query: str
    scopes: list[str]
    chunks: list[ContextChunk]
    #: Passages that were ranked and did not fit.
    omitted: int
    tokens: int
    max_tokens: int
    confidence: float
    warnings: list[str]


class ContextOptions(msgspec.Struct, frozen=True):
    """What a caller asks of a context."""

    max_tokens: int = DEFAULT_TOKENS
    scopes: tuple[str, ...] = ()
    k: int = DEFAULT_K
    #: Code paths whose governing documents lead.
    paths: tuple[str, ...] = ()


class _Gathered(msgspec.Struct, frozen=True):
    pointer: Pointer
    ranked: Ranked
    scopes: list[str]
    passages: list[Passage]


async def context_answer(
    reader: Reader, project_id: str, query: str, options: ContextOptions
) -> ContextAnswer:
    """Find passages for a question and give their text.

    Taken in rank order; one that does not fit is left out and a smaller one behind it may still
    enter. When none fits, the best one's head stands alone.

    Raises:
        BadRequestError: the query, *k*, the budget or a scope means nothing.
        TextUnavailableError: the objects have not arrived.
    """
    _require_sense(options)

    async def use(view: View) -> _Gathered:
        return await _gathered(view, query, options)

    gathered = await reader.answer(project_id, use)
    blobs = [each.document.blob for each in gathered.passages]
    texts = await reader.texts.read_all(gathered.pointer, blobs)

    def fitted() -> tuple[int, list[ContextChunk]]:
        passages = zip(gathered.passages, texts, strict=True)
        chunks = [_chunk(each, prose_of(each, data)) for each, data in passages]
        told = [chunk for chunk in chunks if chunk.content]
        return len(told), fitting(told, options.max_tokens)

    found, taken = await asyncio.to_thread(fitted)
    freshness = await reader.freshness(gathered.pointer)
    return ContextAnswer(
        **msgspec.structs.asdict(freshness),
        query=query,
        scopes=gathered.scopes,
        chunks=taken,
        omitted=found - len(taken),
        tokens=sum(each.tokens for each in taken),
        max_tokens=options.max_tokens,
        confidence=round(gathered.ranked.confidence, 4),
        warnings=list(gathered.ranked.warnings),
    )


def fitting(chunks: Sequence[ContextChunk], max_tokens: int) -> list[ContextChunk]:
    """Take chunks in order as long as they fit; the first one's head when none does."""
    taken = []
    room = max_tokens
    for chunk in chunks:
        if chunk.tokens <= room:
            taken.append(chunk)
            room -= chunk.tokens
    if not taken and chunks and max_tokens >= least_head():
        head = truncate(chunks[0].content, max_tokens)
        taken = [msgspec.structs.replace(chunks[0], content=head, tokens=estimate_tokens(head))]
    return taken


def _require_sense(options: ContextOptions) -> None:
    if not 1 <= options.k <= MOST_K:
        raise BadRequestError("top_k", f"must be 1 to {MOST_K}.")
    if not 1 <= options.max_tokens <= MOST_TOKENS:
        raise BadRequestError("max_tokens", f"must be 1 to {MOST_TOKENS:,}.")
    require_paths(options.paths)


async def _gathered(view: View, query: str, options: ContextOptions) -> _Gathered:
    ranked = await rank(view, query, Filters(scopes=options.scopes), "hybrid")
    counts = ranked.index.scope_counts
    scopes = chosen_scopes(options.scopes, counts)
    paths = clean_paths(options.paths)
    entries = await view.derive(lambda: led_by_paths(ranked.index, ranked.entries, paths, scopes))
    found = await passages(view, ranked, entries[: options.k])
    return _Gathered(view.pointer, ranked, sorted(counts if scopes is None else scopes), found)


def _chunk(passage: Passage, prose: Prose) -> ContextChunk:
    content = prose.text.strip("\n")
    return ContextChunk(
        chunk_id=passage.fused.id,
        doc_path=passage.document.path,
        heading=passage.breadcrumb,
        content=content,
        score=round(passage.fused.score, 6),
        tokens=estimate_tokens(content),
        scope=passage.scope,
        node_id=passage.node_id,
        line_start=prose.line_start,
        line_end=passage.place.line_end,
        status=passage.status,
    )
