"""How many chunks of a source wait for their vectors: counted when that may have changed."""

from collections.abc import Sequence
from typing import LiteralString

import psycopg

#: Counts all chunks of a source that wait, and keeps the count.
RECOUNT: LiteralString = """
    update knowledge.source s set vectors_pending = (
        select count(*)
        from knowledge.chunk_place p, generate_series(0, length(p.texts) / 32 - 1) i
        where p.source_id = s.id and not exists (
            select from knowledge.vector v
            where v.project_id = s.project_id and v.model = s.vector_model
              and v.text_hash = substring(p.texts from i * 32 + 1 for 32)
              and v.number <= s.vector_epoch))
    where s.id = %s and s.vector_model <> '' returning vectors_pending
"""


def recount_pending(session: psycopg.Connection, source_id: int) -> int:
    """Count all chunks of a source that wait, and keep the count."""
    row = session.execute(RECOUNT, (source_id,)).fetchone()
    return int(row[0]) if row else 0


def count_pending_of(session: psycopg.Connection, source_id: int, paths: Sequence[str]) -> int:
    """Count the chunks of some documents that wait; 0 for a source without a model."""
    row = session.execute(
        """
        select count(*)
        from knowledge.source s join knowledge.chunk_place p on p.source_id = s.id,
        generate_series(0, length(p.texts) / 32 - 1) i
        where s.id = %s and s.vector_model <> '' and p.path = any(%s) and not exists (
            select from knowledge.vector v
            where v.project_id = s.project_id and v.model = s.vector_model
              and v.text_hash = substring(p.texts from i * 32 + 1 for 32)
              and v.number <= s.vector_epoch)
        """,
        (source_id, list(paths)),
    ).fetchone()
    return int(row[0]) if row else 0


def drop_unused(session: psycopg.Connection, project_id: str) -> None:
    """Remove vectors of texts that no source of a project has, and of models that none uses."""
    session.execute(_DROP_UNUSED, {"project": project_id})


_DROP_UNUSED: LiteralString = """
    delete from knowledge.vector v where v.project_id = %(project)s and (v.model, v.text_hash)
    not in (
        select s.vector_model, substring(p.texts from i * 32 + 1 for 32)
        from knowledge.source s join knowledge.chunk_place p on p.source_id = s.id,
        generate_series(0, length(p.texts) / 32 - 1) i
        where s.project_id = %(project)s)
"""
