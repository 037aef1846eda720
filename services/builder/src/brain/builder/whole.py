"""The whole build: every document of the tip, whatever is stored."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime

from brain.builder.corpus import Corpus, read_corpus
from brain.builder.gathered import Gathered
from brain.builder.job import Progress, Started
from brain.builder.parsing import Entry
from brain.builder.searching import SearchPlan, plan_search, whole_search
from brain.builder.version import BUILDER_VERSION
from brain.gitmirror.history import committed_at
from brain.gitmirror.last_change import LastChanges, last_changes
from brain.gitmirror.mirror import Mirror
from brain.store.build_session import BuildStart, IndexUpdate, Session
from brain.store.merge import Change
from brain.store.search_index import SearchUpdate
from brain.telemetry.tracing import span
from brain.tree.config import TreeConfig

Send = Callable[[Started | Progress], None]
MakeSearch = Callable[[], SearchUpdate | None]


def build_whole(session: Session, start: BuildStart, mirror: Mirror, send: Send) -> IndexUpdate:
    """Build the whole index of the tip; a function of the commit and the builder alone.

    The history is read by git while the documents are parsed here.
    """
    with ThreadPoolExecutor(1) as threads:
        history: list[Future[LastChanges | None]] = []

        plans: list[SearchPlan] = []

        def begin(entries: list[Entry], config: TreeConfig) -> frozenset[str]:
            wanted = [path.encode() for path, _ in entries]
            history.append(threads.submit(last_changes, mirror, start.tip, wanted))
            plans.append(plan_search(session, start.source_id, entries, config))
            return plans[0].analysed

        corpus = read_corpus(mirror, start.tip, begin, send)
        search = _search(session, plans[0], corpus.gathered)
        with span("build.history"):
            found = history[0].result()
    return _update(start, mirror, corpus, stored_changes(found), search)


def _search(session: Session, plan: SearchPlan, gathered: Gathered) -> MakeSearch:
    """Make what search stores: beside the writing of the tree, unless stored segments are read.

    The tree's rows keep the database busy and this process waiting.
    """

    def made() -> SearchUpdate | None:
        with span("build.search"):
            return whole_search(session, plan, gathered)

    if plan.kept:
        update = made()
        return lambda: update
    threads = ThreadPoolExecutor(1)
    future = threads.submit(copy_context().run, made)
    threads.shutdown(wait=False)
    return future.result


def stored_changes(found: LastChanges | None) -> dict[str, Change]:
    """Return last changes as rows; empty when no history could be read."""
    if found is None:
        return {}
    return {
        path.decode(): Change(each.commit, each.at, each.subject)
        for path, each in found.changes.items()
    }


def _update(
    start: BuildStart,
    mirror: Mirror,
    corpus: Corpus,
    changes: dict[str, Change],
    search: MakeSearch,
) -> IndexUpdate:
    return IndexUpdate(
        commit=start.tip,
        branch=start.branch,
        commit_at=datetime.fromtimestamp(committed_at(mirror, start.tip), UTC),
        builder_version=BUILDER_VERSION,
        config=corpus.config,
        counts=corpus.counts,
        left_out=corpus.left_out,
        last_build={
            "kind": "whole",
            "documentsRead": len(corpus.documents),
            "documentsParsed": corpus.parsed_count,
            "documentsOnFastPath": corpus.fast_count,
        },
        documents=corpus.documents,
        folders=corpus.folders,
        outside=corpus.outside,
        changes=changes,
        search=search,
    )
