"""A build's own session: its lock, its fence and the one transaction that publishes.

The advisory lock lives as long as the session, so it dies with the process; the fence number and
the commit the build started from are checked by the publishing transaction, so a builder that woke
up too late writes nothing. Synchronous, because it runs in the build's child process.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from typing import Any

import msgspec
import psycopg
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from brain.store.demand import BUILD_LOCK
from brain.store.errors import FenceLostError, StoreUnavailableError
from brain.store.merge import (
    Change,
    merge_changes,
    merge_definitions,
    merge_documents,
    merge_folders,
    merge_references,
)
from brain.store.pending_vectors import count_pending_of, drop_unused, recount_pending
from brain.store.search_index import SearchUpdate, merge_search
from brain.tree.config import TreeConfig
from brain.tree.document import DocumentRow, FolderRow
from brain.tree.reference import Definition
from brain.tree.resolve import keys_naming

Session = psycopg.Connection

#: Channel on which a published index is announced: a hint, the pointer itself decides.
INDEX_CHANNEL = "brain_index"
_BUILD_STATEMENT_TIMEOUT = "10min"

#: A whole build is due after so many incremental ones, or after so long; it may wait.
MOST_INCREMENTAL_BUILDS = 50
LONGEST_WHOLE_AGE_S = 24 * 3600.0


class BuildStart(msgspec.Struct, frozen=True):
    """What a build is to do: read once at its start, after the lock is held."""

    source_id: int
    project_id: str
    fence: int
    wanted_seq: int
    background_seq: int
    #: Whether a whole build was demanded, now or for when there is time.
    whole: bool
    branch: str
    tip: str
    #: The index as it is stored; an empty commit when there is none.
    indexed_commit: str
    builder_version: int
    incremental_builds: int
    #: Seconds since the last whole build; infinite when there was none.
    whole_age_s: float
    counts: dict[str, int]
    left_out: dict[str, int]


class IndexUpdate(msgspec.Struct, frozen=True):
    """Everything one build stores; a function of the commit, the builder version and the limits."""

    commit: str
    branch: str
    commit_at: datetime
    builder_version: int
    config: TreeConfig
    counts: dict[str, int]
    left_out: dict[str, int]
    last_build: dict[str, Any]
    documents: Sequence[DocumentRow]
    folders: Sequence[FolderRow]
    #: Definitions that no document row holds: Markdown that exists and is not indexed.
    outside: Sequence[Definition]
    changes: Mapping[str, Change]
    #: The paths this build looked at, for each kind of row; None stands for all.
    document_paths: Sequence[str] | None = None
    folder_paths: Sequence[str] | None = None
    changed_paths: Sequence[str] | None = None
    #: Asked for when everything else is written, so that it can be made meanwhile; None when
    #: search has everything as it is.
    search: Callable[[], SearchUpdate | None] = lambda: None

    @property
    def is_whole(self) -> bool:
        """Tell whether the update replaces the index."""
        return self.document_paths is None


@contextmanager
def build_session(database_url: str) -> Iterator[Session]:
    """Open a session straight to the primary, never through a pooler.

    Raises:
        StoreUnavailableError: the database is away, or went away meanwhile.
    """
    try:
        with psycopg.connect(database_url, autocommit=True, connect_timeout=10) as session:
            session.execute("set statement_timeout = '" + _BUILD_STATEMENT_TIMEOUT + "'")
            yield session
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise StoreUnavailableError(" ".join(str(error).split())[:200]) from error


def try_build_lock(session: Session, source_id: int) -> bool:
    """Take the source's build lock unless another build holds it."""
    row = session.execute("select pg_try_advisory_lock(%s, %s)", (BUILD_LOCK, source_id)).fetchone()
    return row is not None and bool(row[0])


def release_build_lock(session: Session, source_id: int) -> None:
    """Give the source's build lock back."""
    session.execute("select pg_advisory_unlock(%s, %s)", (BUILD_LOCK, source_id))


def begin_build(
    session: Session, source_id: int, builder_version: int, *, background: bool
) -> BuildStart | None:
    """Raise the fence and read what is owed; None when nothing is, or not to this builder.

    An index of a newer builder version is never touched.
    """
    cursor = session.cursor(row_factory=class_row(BuildStart))
    cursor.execute(
        """
        update knowledge.source
        set fence = fence + 1, state = 'indexing', reason = ''
        where id = %(id)s and enabled and tip <> '' and builder_version <= %(version)s
          and (wanted_seq > met_seq or %(background)s and background_seq > met_background_seq)
        returning id as source_id, project_id, fence, wanted_seq, background_seq,
                  wanted_whole_seq > met_seq
                      or %(background)s and background_seq > met_background_seq as whole,
                  branch, tip, indexed_commit, builder_version, incremental_builds,
                  coalesce(extract(epoch from now() - whole_built_at), 'infinity')::float8
                      as whole_age_s,
                  counts, left_out
        """,
        {"id": source_id, "version": builder_version, "background": background},
    )
    return cursor.fetchone()


def publish(
    session: Session, start: BuildStart, update: IndexUpdate, vector_model: str = ""
) -> None:
    """Write the index and move the pointer in one transaction; only rows that differ are written.

    Args:
        session: holds the build lock.
        start: what the build read at its start.
        update: what is written.
        vector_model: the model that makes vectors of its chunks later; empty for none.

    Raises:
        FenceLostError: another build has begun since, or the index is no longer at the commit
            this build started from; nothing was written.
    """
    source_id, paths = start.source_id, update.document_paths
    with session.transaction():
        _check_fence(session, start)
        inside = (item for row in update.documents for item in keys_naming(row))
        merge_documents(session, source_id, update.documents, paths)
        merge_folders(session, source_id, update.folders, update.folder_paths)
        merge_definitions(session, source_id, chain(inside, update.outside), paths)
        merge_references(session, source_id, update.documents, paths)
        merge_changes(session, source_id, update.changes, update.changed_paths)
        search = update.search()
        if search is not None:
            _merge_search(session, source_id, search)
        _use_model(session, source_id, vector_model)
        if update.is_whole:
            drop_unused(session, start.project_id)
        _move_pointer(session, start, update)


def _merge_search(session: Session, source_id: int, update: SearchUpdate) -> None:
    """Write what search stores, and keep the count of chunks that wait for vectors.

    An incremental build counts in what it touched alone: counting all would cost more than it does.
    """
    paths = update.within
    before = 0 if paths is None else count_pending_of(session, source_id, paths)
    merge_search(session, source_id, update)
    if paths is None:
        recount_pending(session, source_id)
        return
    change = count_pending_of(session, source_id, paths) - before
    session.execute(
        "update knowledge.source set vectors_pending = greatest(0, vectors_pending + %s)"
        " where id = %s and vector_model <> ''",
        (change, source_id),
    )


def _use_model(session: Session, source_id: int, model: str) -> None:
    """Note which model makes the source's vectors; another than before starts anew."""
    cursor = session.execute(
        "update knowledge.source set vector_model = %(model)s, vectors_pending = 0"
        " where id = %(id)s and vector_model <> %(model)s",
        {"model": model, "id": source_id},
    )
    if cursor.rowcount and model:
        recount_pending(session, source_id)


class StillOwed(msgspec.Struct, frozen=True):
    """What a source is owed after a build."""

    #: Demand came while the build ran.
    fresh: bool
    #: A whole build is due that may wait, or chunks wait for their vectors.
    background: bool


def still_owed(session: Session, source_id: int) -> StillOwed:
    """Tell what a source is owed; asked after the lock was released, so that none is missed."""
    cursor = session.cursor(row_factory=class_row(StillOwed))
    cursor.execute(
        """
        select enabled and wanted_seq > met_seq as fresh,
               enabled and (background_seq > met_background_seq or vectors_pending > 0)
                   as background
        from knowledge.source where id = %s
        """,
        (source_id,),
    )
    return cursor.fetchone() or StillOwed(fresh=False, background=False)


def _check_fence(session: Session, start: BuildStart) -> None:
    """Lock the source's row and compare: nothing else may publish until this commits."""
    row = session.execute(
        "select fence, indexed_commit from knowledge.source where id = %s for update",
        (start.source_id,),
    ).fetchone()
    if row is None or row[0] != start.fence or row[1] != start.indexed_commit:
        raise FenceLostError(start.source_id, start.fence)


def _move_pointer(session: Session, start: BuildStart, update: IndexUpdate) -> None:
    session.execute(
        """
        update knowledge.source
        set indexed_commit = %(commit)s, indexed_branch = %(branch)s, indexed_at = now(),
            commit_at = %(commit_at)s, builder_version = %(version)s, counts = %(counts)s,
            left_out = %(left_out)s, config = %(config)s, last_build = %(last_build)s,
            attempted_commit = %(commit)s,
            incremental_builds = case when %(whole)s then 0 else incremental_builds + 1 end,
            whole_built_at = case when %(whole)s then now() else whole_built_at end,
            met_seq = greatest(met_seq, %(met)s),
            met_background_seq =
                case when %(whole)s then %(background)s else met_background_seq end,
            background_seq = background_seq + case
                when %(due)s and background_seq = met_background_seq then 1 else 0 end,
            attempts = 0, retry_at = null, error = '',
            reason = '', state = case when not enabled then 'off'
                when wanted_seq > %(met)s then 'queued' else 'ready' end
        where id = %(id)s
        """,
        {
            "id": start.source_id,
            "commit": update.commit,
            "branch": update.branch,
            "commit_at": update.commit_at,
            "version": update.builder_version,
            "counts": Jsonb(update.counts),
            "left_out": Jsonb(update.left_out),
            "config": Jsonb(msgspec.to_builtins(update.config)),
            "last_build": Jsonb(update.last_build),
            "whole": update.is_whole,
            "background": start.background_seq,
            "due": not update.is_whole and is_whole_due(start),
            "met": start.wanted_seq,
        },
    )
    session.execute(
        "select pg_notify(%s, %s)", (INDEX_CHANNEL, f"{start.source_id} {update.commit}")
    )


def is_whole_due(start: BuildStart) -> bool:
    """Tell whether a whole build is due by count or age; sources are spread over an hour."""
    jitter_s = start.source_id * 7919 % 3600
    return (
        start.incremental_builds + 1 >= MOST_INCREMENTAL_BUILDS
        or start.whole_age_s > LONGEST_WHOLE_AGE_S + jitter_s
    )
