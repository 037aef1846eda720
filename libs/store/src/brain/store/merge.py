"""Merging: copy rows into a temporary table, then write only those that differ.

Runs inside the caller's transaction. An unchanged row is not rewritten, so rebuilding an index
leaves no dead rows behind. *within* names the paths that a build looked at: rows of those paths
that it no longer has are removed; None stands for all paths.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString

import msgspec
import psycopg

from brain.store.codec import encode_body, encode_folder, encode_head, folder_of
from brain.tree.document import DocumentRow, FolderRow
from brain.tree.reference import Definition

Session = psycopg.Connection


class Change(msgspec.Struct, frozen=True):
    """The last commit that changed a document."""

    commit: str
    #: Committer date, seconds since the epoch.
    at: int
    subject: str


def _copy(
    session: Session, statement: LiteralString, types: list[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    with session.cursor().copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def merge_documents(
    session: Session,
    source_id: int,
    documents: Sequence[DocumentRow],
    within: Sequence[str] | None,
) -> None:
    """Replace a source's documents by these; a row of equal bytes is left as it is."""
    session.execute(
        """
        create temp table new_document (
            path text collate "C", folder text collate "C", blob bytea, head bytea, body bytea
        ) on commit drop
        """
    )
    _copy(
        session,
        "copy new_document from stdin (format binary)",
        ["text", "text", "bytea", "bytea", "bytea"],
        (
            (
                row.path,
                folder_of(row.path),
                bytes.fromhex(row.blob),
                encode_head(row),
                encode_body(row),
            )
            for row in documents
        ),
    )
    session.execute("analyze new_document")
    session.execute(
        """
        delete from knowledge.document d
        where d.source_id = %(source)s and (%(within)s::text[] is null or d.path = any(%(within)s))
        and not exists (select 1 from new_document n where n.path = d.path)
        """,
        {"source": source_id, "within": within},
    )
    session.execute(
        """
        insert into knowledge.document as d (source_id, path, folder, blob, head, body)
        select %s, path, folder, blob, head, body from new_document
        on conflict (source_id, path) do update
        set blob = excluded.blob, head = excluded.head, body = excluded.body
        where (d.blob, d.head, d.body)
              is distinct from (excluded.blob, excluded.head, excluded.body)
        """,
        (source_id,),
    )


def merge_folders(
    session: Session, source_id: int, folders: Sequence[FolderRow], within: Sequence[str] | None
) -> None:
    """Replace a source's folders by these; a row of equal bytes is left as it is."""
    session.execute(
        """
        create temp table new_folder (
            path text collate "C", parent text collate "C", head bytea
        ) on commit drop
        """
    )
    _copy(
        session,
        "copy new_folder from stdin (format binary)",
        ["text", "text", "bytea"],
        (
            (row.path, folder_of(row.path) if row.path else None, encode_folder(row))
            for row in folders
        ),
    )
    session.execute(
        """
        delete from knowledge.folder f
        where f.source_id = %(source)s and (%(within)s::text[] is null or f.path = any(%(within)s))
        and not exists (select 1 from new_folder n where n.path = f.path)
        """,
        {"source": source_id, "within": within},
    )
    session.execute(
        """
        insert into knowledge.folder as f (source_id, path, parent, head)
        select %s, path, parent, head from new_folder
        on conflict (source_id, path) do update set head = excluded.head
        where f.head is distinct from excluded.head
        """,
        (source_id,),
    )


def merge_definitions(
    session: Session,
    source_id: int,
    definitions: Iterable[Definition],
    within: Sequence[str] | None,
) -> None:
    """Replace a source's definitions by these; the same one twice counts once."""
    session.execute(
        """
        create temp table new_definition (
            key text collate "C", kind text collate "C", path text collate "C",
            anchor text collate "C"
        ) on commit drop
        """
    )
    _copy(
        session,
        "copy new_definition from stdin (format binary)",
        ["text", "text", "text", "text"],
        ((d.key, d.kind, d.path, d.anchor) for d in definitions),
    )
    session.execute("analyze new_definition")
    session.execute(
        """
        delete from knowledge.definition d
        where d.source_id = %(source)s and (%(within)s::text[] is null or d.path = any(%(within)s))
        and not exists (select 1 from new_definition n
                        where (n.key, n.path, n.anchor, n.kind)
                              = (d.key, d.path, d.anchor, d.kind))
        """,
        {"source": source_id, "within": within},
    )
    session.execute(
        """
        insert into knowledge.definition (source_id, key, kind, path, anchor)
        select distinct %s::bigint, key, kind, path, anchor from new_definition
        on conflict do nothing
        """,
        (source_id,),
    )


def merge_references(
    session: Session,
    source_id: int,
    documents: Sequence[DocumentRow],
    within: Sequence[str] | None,
) -> None:
    """Replace the pairs of key and referring path by those of these documents."""
    session.execute(
        """
        create temp table new_reference (key text collate "C", path text collate "C")
        on commit drop
        """
    )
    _copy(
        session,
        "copy new_reference from stdin (format binary)",
        ["text", "text"],
        (
            (key, row.path)
            for row in documents
            for key in sorted({reference.key for reference in row.references})
        ),
    )
    session.execute("analyze new_reference")
    session.execute(
        """
        delete from knowledge.reference r
        where r.source_id = %(source)s and (%(within)s::text[] is null or r.path = any(%(within)s))
        and not exists (select 1 from new_reference n where (n.key, n.path) = (r.key, r.path))
        """,
        {"source": source_id, "within": within},
    )
    session.execute(
        """
        insert into knowledge.reference (source_id, key, path)
        select %s, key, path from new_reference on conflict do nothing
        """,
        (source_id,),
    )


def merge_changes(
    session: Session, source_id: int, changes: Mapping[str, Change], within: Sequence[str] | None
) -> None:
    """Replace the last changes of these paths; those that differ are written."""
    session.execute(
        """
        create temp table new_changed (
            path text collate "C", commit text, at bigint, subject text
        ) on commit drop
        """
    )
    _copy(
        session,
        "copy new_changed from stdin (format binary)",
        ["text", "text", "int8", "text"],
        ((path, each.commit, each.at, each.subject) for path, each in changes.items()),
    )
    session.execute(
        """
        delete from knowledge.changed c
        where c.source_id = %(source)s and (%(within)s::text[] is null or c.path = any(%(within)s))
        and not exists (select 1 from new_changed n where n.path = c.path)
        """,
        {"source": source_id, "within": within},
    )
    session.execute(
        """
        insert into knowledge.changed as c (source_id, path, commit, at, subject)
        select %s, path, commit, at, subject from new_changed
        on conflict (source_id, path) do update
        set commit = excluded.commit, at = excluded.at, subject = excluded.subject
        where (c.commit, c.at, c.subject)
              is distinct from (excluded.commit, excluded.at, excluded.subject)
        """,
        (source_id,),
    )
