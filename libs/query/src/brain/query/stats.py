"""Stats: how much is indexed, asked and served."""

from datetime import datetime

import msgspec
import numpy as np

from brain.query.freshness import Freshness
from brain.query.questions import Questions
from brain.query.search_index import search_index
from brain.query.search_state import search_state
from brain.query.view import View
from brain.store.pointer import Pointer
from brain.store.pool import transaction
from brain.store.served import Served, count_kept, list_served


class IndexCounts(msgspec.Struct, frozen=True, rename="camel"):
    """What search reads."""

    documents: int
    chunks: int
    segments: int
    #: Documents by scope.
    scopes: dict[str, int]


class ServedCounts(msgspec.Struct, frozen=True, rename="camel"):
    """What one tool or route served."""

    requests: int
    tokens: int
    chunks: int
    #: Chunks that were ranked and did not fit.
    omitted: int


class CacheCounts(msgspec.Struct, frozen=True, rename="camel"):
    """How often a bundle was there already."""

    hits: int
    misses: int
    #: 0 to 1; None before the first bundle.
    hit_rate: float | None
    bundles: int
    #: Bundles whose text is held.
    texts: int


class StatsAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """Counts of a project; those of what was served go on over restarts."""

    project_id: str
    fingerprint: str
    index: IndexCounts
    requests: int
    tokens_served: int
    by_name: dict[str, ServedCounts]
    bundle_cache: CacheCounts
    usage_events: int
    #: Since when it is counted; None before the first question.
    since: datetime | None


async def stats_answer(questions: Questions, project_id: str) -> StatsAnswer:
    """Count what a project holds and what was served of it; up to a second behind."""

    async def use(view: View) -> tuple[Pointer, IndexCounts]:
        return view.pointer, await _index_counts(view)

    pointer, index = await questions.reader.answer(project_id, use)
    async with transaction(questions.pool) as connection:
        served, since = await list_served(connection, pointer.source_id)
        kept = await count_kept(connection, pointer.source_id)
    hits = sum(each.cache_hits for each in served)
    misses = sum(each.cache_misses for each in served)
    return StatsAnswer(
        **msgspec.structs.asdict(await questions.reader.freshness(pointer)),
        project_id=project_id,
        fingerprint=search_state(pointer).fingerprint,
        index=index,
        requests=sum(each.requests for each in served),
        tokens_served=sum(each.tokens for each in served),
        by_name={each.name: _counts(each) for each in served},
        bundle_cache=CacheCounts(
            hits,
            misses,
            round(hits / (hits + misses), 4) if hits + misses else None,
            kept.bundles,
            kept.texts,
        ),
        usage_events=kept.usage_events,
        since=since,
    )


def _counts(served: Served) -> ServedCounts:
    return ServedCounts(served.requests, served.tokens, served.chunks, served.omitted)


async def _index_counts(view: View) -> IndexCounts:
    index = await search_index(view)
    return IndexCounts(
        documents=len(index.numbers),
        chunks=int(np.count_nonzero(index.collection.alive)),
        segments=len(index.segment_ids),
        scopes=index.scope_counts,
    )
