"""Questions: what REST, MCP and the command line ask; each answer is logged and counted here."""

import time
from datetime import UTC, datetime

import msgspec

from brain.query.bundle_manifest import Compiled
from brain.query.bundle_shelf import BundleShelf
from brain.query.bundles import BundleTask, compile_bundle
from brain.query.caller import Caller
from brain.query.context import ContextAnswer, ContextOptions, context_answer
from brain.query.errors import QueryError
from brain.query.journal import Journal, Record
from brain.query.reader import Reader
from brain.query.search import SearchAnswer, SearchOptions, search_answer
from brain.search.tokens import estimate_tokens
from brain.store.bundles import BundleRow
from brain.store.errors import StoreError
from brain.store.pointer import Pointer
from brain.store.pool import Pool
from brain.store.query_log import LoggedQuery
from brain.store.served import Served
from brain.telemetry.metrics import (
    BUNDLE_CACHE,
    CHUNKS_OMITTED,
    CHUNKS_SERVED,
    JOURNAL_DROPPED,
    SEARCH_SECONDS,
    TOKENS_SERVED,
)


class _Left(msgspec.Struct, frozen=True):
    """What one answer leaves behind."""

    name: str
    query: str
    scopes: tuple[str, ...]
    mode: str
    results: int
    top_score: float
    confidence: float
    tokens: int
    chunks: int
    omitted: int = 0
    bundle_id: str = ""
    is_hit: bool = False

    def record(self, caller: Caller, source_id: int, owed: BundleRow | None) -> Record:
        """Return it as the journal takes it, with the bundle that the store still lacks."""
        is_bundle = bool(self.bundle_id)
        return Record(
            LoggedQuery(
                source_id=source_id,
                at=datetime.now(UTC),
                surface=caller.surface,
                name=self.name,
                query=self.query,
                scopes=self.scopes,
                mode=self.mode,
                results=self.results,
                top_score=self.top_score,
                confidence=self.confidence,
                tokens=self.tokens,
                bundle_id=self.bundle_id,
                client=caller.client,
            ),
            Served(
                source_id=source_id,
                name=self.name,
                requests=1,
                tokens=self.tokens,
                chunks=self.chunks,
                omitted=self.omitted,
                cache_hits=int(is_bundle and self.is_hit),
                cache_misses=int(is_bundle and not self.is_hit),
            ),
            self.bundle_id if self.is_hit else "",
            owed,
        )


class Questions:
    """Answers questions and leaves a record of each in the journal.

    What only shows a place (tree, read, lookup, grep) is no question.
    """

    def __init__(self, reader: Reader, pool: Pool, journal: Journal) -> None:
        self.reader = reader
        self.pool = pool
        self.journal = journal
        self.shelf = BundleShelf(pool, keeps_words=journal.settings.keeps_words)

    async def search(
        self, caller: Caller, project_id: str, query: str, options: SearchOptions
    ) -> SearchAnswer:
        """Answer `search_answer`."""
        began = time.perf_counter()
        answer = await search_answer(self.reader, project_id, query, options)
        SEARCH_SECONDS.labels("search").observe(time.perf_counter() - began)
        await self._leave(
            caller,
            project_id,
            _Left(
                "brain_search",
                query,
                options.filters.told(),
                options.mode,
                len(answer.hits),
                max((hit.score for hit in answer.hits), default=0.0),
                answer.confidence,
                sum(estimate_tokens(hit.snippet) for hit in answer.hits),
                chunks=len(answer.hits),
            ),
        )
        return answer

    async def context(
        self, caller: Caller, project_id: str, query: str, options: ContextOptions
    ) -> ContextAnswer:
        """Answer `context_answer`."""
        began = time.perf_counter()
        answer = await context_answer(self.reader, project_id, query, options)
        SEARCH_SECONDS.labels("context").observe(time.perf_counter() - began)
        left = _Left(
            "search_context",
            query,
            options.scopes,
            "hybrid",
            len(answer.chunks) + answer.omitted,
            max((chunk.score for chunk in answer.chunks), default=0.0),
            answer.confidence,
            answer.tokens,
            chunks=len(answer.chunks),
            omitted=answer.omitted,
        )
        await self._leave(caller, project_id, left)
        return answer

    async def bundle(
        self, caller: Caller, project_id: str, asked: BundleTask
    ) -> tuple[Pointer, Compiled]:
        """Answer `compile_bundle`."""
        began = time.perf_counter()
        pointer, bundle, where = await compile_bundle(self.reader, self.shelf, project_id, asked)
        SEARCH_SECONDS.labels("bundle").observe(time.perf_counter() - began)
        BUNDLE_CACHE.labels(where).inc()
        manifest = bundle.manifest
        left = _Left(
            "compile_bundle",
            asked.task,
            bundle.request.scopes,
            "hybrid",
            len(manifest.sections) + len(manifest.omitted),
            manifest.top_score,
            manifest.confidence,
            manifest.tokens,
            chunks=len(manifest.sections),
            omitted=len(manifest.omitted),
            bundle_id=bundle.id,
            is_hit=where != "made",
        )
        await self._leave(caller, project_id, left)
        return pointer, bundle

    async def _leave(self, caller: Caller, project_id: str, left: _Left) -> None:
        if caller.is_evaluating:
            return
        TOKENS_SERVED.labels(caller.surface, left.name).inc(left.tokens)
        CHUNKS_SERVED.labels(left.name).inc(left.chunks)
        CHUNKS_OMITTED.labels(left.name).inc(left.omitted)
        # a read that was answered must not fail for its record
        try:
            source_id = await self.reader.source_id(project_id)
        except (StoreError, QueryError):
            JOURNAL_DROPPED.inc()
            return
        owed = self.shelf.take_owed(source_id, left.bundle_id)
        self.journal.note(left.record(caller, source_id, owed))
