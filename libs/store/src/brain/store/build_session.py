"""A build's own session: its lock, its fence and the one transaction that publishes.

The advisory lock lives as long as the session, so it dies with the process; the fence number and
the commit the build started from are checked by the publishing transaction, so a builder that woke
up too late writes nothing. Synchronous, because it runs in the build's child process.
"""

from collections.abc import Iterator
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
from brain.store.merge import merge_definitions, merge_documents, merge_folders, merge_references
from brain.tree.config import TreeConfig
from brain.tree.document import DocumentRow, FolderRow
from brain.tree.reference import Definition
from brain.tree.resolve import keys_naming

Session = psycopg.Connection

#: Channel on which a published index is announced: a hint, the pointer itself decides.
INDEX_CHANNEL = "brain_index"
_BUILD_STATEMENT_TIMEOUT = "10min"


class BuildStart(msgspec.Struct, frozen=True):
    """What a build is to do: read once at its start, after the lock is held."""

    source_id: int
    project_id: str
    fence: int
    wanted_seq: int
    #: Whether a whole build was demanded.
    whole: bool
    branch: str
    tip: str
    indexed_commit: str
    builder_version: int


class PublishedIndex(msgspec.Struct, frozen=True):
    """Everything one build stores; a function of the commit, the builder version and the limits."""

    commit: str
    branch: str
    commit_at: datetime
    builder_version: int
    documents: tuple[DocumentRow, ...]
    folders: tuple[FolderRow, ...]
    #: Definitions that no document row holds: Markdown that exists and is not indexed.
    outside: tuple[Definition, ...]
    config: TreeConfig
    counts: dict[str, int]
    left_out: dict[str, int]
    last_build: dict[str, Any]


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


def begin_build(session: Session, source_id: int, builder_version: int) -> BuildStart | None:
    """Raise the fence and read what is owed; None when nothing is, or not to this builder.

    An index of a newer builder version is never touched.
    """
    cursor = session.cursor(row_factory=class_row(BuildStart))
    cursor.execute(
        """
        update knowledge.source
        set fence = fence + 1, state = 'indexing', reason = ''
        where id = %(id)s and enabled and tip <> '' and wanted_seq > met_seq
          and builder_version <= %(version)s
        returning id as source_id, project_id, fence, wanted_seq,
                  wanted_whole_seq > met_seq as whole, branch, tip, indexed_commit, builder_version
        """,
        {"id": source_id, "version": builder_version},
    )
    return cursor.fetchone()


def publish(session: Session, start: BuildStart, index: PublishedIndex) -> None:
    """Write the index and move the pointer in one transaction; only rows that differ are written.

    Raises:
        FenceLostError: another build has begun since, or the index is no longer at the commit
            this build started from; nothing was written.
    """
    with session.transaction():
        _check_fence(session, start)
        inside = (item for row in index.documents for item in keys_naming(row))
        merge_documents(session, start.source_id, index.documents)
        merge_folders(session, start.source_id, index.folders)
        merge_definitions(session, start.source_id, chain(inside, index.outside))
        merge_references(session, start.source_id, index.documents)
        _move_pointer(session, start, index)


def is_owed(session: Session, source_id: int) -> bool:
    """Tell whether demand came while the build ran."""
    row = session.execute(
        "select enabled and wanted_seq > met_seq from knowledge.source where id = %s", (source_id,)
    ).fetchone()
    return row is not None and bool(row[0])


def meet_demand(session: Session, start: BuildStart) -> bool:
    """Record that the index at the tip stands already; False when another build has begun."""
    cursor = session.execute(
        """
        update knowledge.source
        set met_seq = greatest(met_seq, %(met)s), attempted_commit = %(tip)s, error = '',
            attempts = 0, retry_at = null, reason = '',
            state = case when wanted_seq > %(met)s then 'queued' else 'ready' end
        where id = %(id)s and fence = %(fence)s and enabled
        """,
        {
            "id": start.source_id,
            "fence": start.fence,
            "met": start.wanted_seq,
            "tip": start.tip,
        },
    )
    return cursor.rowcount == 1


def _check_fence(session: Session, start: BuildStart) -> None:
    """Lock the source's row and compare: nothing else may publish until this commits."""
    row = session.execute(
        "select fence, indexed_commit from knowledge.source where id = %s for update",
        (start.source_id,),
    ).fetchone()
    if row is None or row[0] != start.fence or row[1] != start.indexed_commit:
        raise FenceLostError(start.source_id, start.fence)


def _move_pointer(session: Session, start: BuildStart, index: PublishedIndex) -> None:
    session.execute(
        """
        update knowledge.source
        set indexed_commit = %(commit)s, indexed_branch = %(branch)s, indexed_at = now(),
            commit_at = %(commit_at)s, builder_version = %(version)s, counts = %(counts)s,
            left_out = %(left_out)s, config = %(config)s, last_build = %(last_build)s,
            attempted_commit = %(commit)s,
            met_seq = greatest(met_seq, %(met)s), attempts = 0, retry_at = null, error = '',
            reason = '', state = case when not enabled then 'off'
                when wanted_seq > %(met)s then 'queued' else 'ready' end
        where id = %(id)s
        """,
        {
            "id": start.source_id,
            "commit": index.commit,
            "branch": index.branch,
            "commit_at": index.commit_at,
            "version": index.builder_version,
            "counts": Jsonb(index.counts),
            "left_out": Jsonb(index.left_out),
            "config": Jsonb(msgspec.to_builtins(index.config)),
            "last_build": Jsonb(index.last_build),
            "met": start.wanted_seq,
        },
    )
    session.execute(
        "select pg_notify(%s, %s)", (INDEX_CHANNEL, f"{start.source_id} {index.commit}")
    )
