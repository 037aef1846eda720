"""The search part of a build: which documents are read for it, and what is written.

What search has stored of a document is a function of its path, its blob, the builder's version and
the anchor dialect, so a whole build reads for search only what differs in one of these, and then
merges what is there: docs/decisions/0017-search-segments.md.
"""

from collections.abc import Mapping, Sequence

import msgspec

from brain.builder.gathered import Gathered
from brain.builder.parsing import Entry
from brain.builder.version import BUILDER_VERSION
from brain.search.live import compact, live_blobs
from brain.search.stored_segment import SegmentHead, decode_bucket
from brain.store.build_session import Session
from brain.store.search_index import SearchUpdate, stored_blocks, stored_heads
from brain.tree.config import TreeConfig

#: When a larger share of the documents differs, all of them are read again.
_MOST_SHARE = 0.5


class SearchPlan(msgspec.Struct, frozen=True):
    """What a whole build reads for search."""

    tag: str
    #: Segments that are kept, by id; none when everything is read again.
    kept: dict[int, SegmentHead]
    analysed: frozenset[str]
    #: Paths that search knows and this commit does not have.
    gone: frozenset[str]


def search_tag(config: TreeConfig) -> str:
    """Return what a segment is marked with: by what its chunks are made, besides the documents."""
    return f"{BUILDER_VERSION} {config.dialect}"


def plan_search(
    session: Session, source_id: int, entries: Sequence[Entry], config: TreeConfig
) -> SearchPlan:
    """Compare what is stored for search with the documents of a commit."""
    tag = search_tag(config)
    heads = dict(stored_heads(session, source_id))
    if not heads or any(head.tag != tag for head in heads.values()):
        return SearchPlan(tag, {}, frozenset(path for path, _ in entries), frozenset())
    known = live_blobs(list(heads.values()))
    changed = frozenset(path for path, blob in entries if known.get(path) != blob)
    if len(changed) > _MOST_SHARE * len(entries):
        return SearchPlan(tag, {}, frozenset(path for path, _ in entries), frozenset())
    gone = frozenset(known.keys() - {path for path, _ in entries})
    return SearchPlan(tag, heads, changed, gone)


def whole_search(session: Session, plan: SearchPlan, gathered: Gathered) -> SearchUpdate | None:
    """Return what a whole build writes; None when search has everything as it is."""
    if not plan.kept:
        return SearchUpdate(gathered.segment(plan.tag, ()), gathered.place_rows(), None)
    paths = sorted(plan.analysed | plan.gone)
    if not paths and len(plan.kept) == 1:
        return None
    newest = gathered.segment(plan.tag, paths)
    blocks: list[Mapping[str, bytes]] = [stored_blocks(session, each) for each in plan.kept]
    made = {
        term: block
        for bucket in newest.buckets.values()
        for term, block in decode_bucket(bucket).items()
    }
    merged = compact(plan.tag, [*plan.kept.values(), newest.head], [*blocks, made])
    return SearchUpdate(merged, gathered.place_rows(), paths, is_compact=True)


def incremental_search(
    gathered: Gathered, paths: Sequence[str], config: TreeConfig
) -> SearchUpdate | None:
    """Return what an incremental build writes: one more segment."""
    if not paths:
        return None
    return SearchUpdate(
        gathered.segment(search_tag(config), paths), gathered.place_rows(), list(paths)
    )
