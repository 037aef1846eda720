"""Gaps: what was asked and not answered."""

from datetime import datetime

import msgspec

from brain.query.errors import BadRequestError
from brain.query.questions import Questions
from brain.search.confidence import THRESHOLD
from brain.store.pool import transaction
from brain.store.query_log import list_gaps

DEFAULT_LIMIT = 50
MOST = 200


class Gap(msgspec.Struct, frozen=True, rename="camel"):
    """Equal questions without an answer."""

    query: str
    scopes: list[str]
    #: Of the tool or route.
    name: str
    #: ``no_results``, ``no_useful_sections`` or ``low_confidence``.
    reason: str
    count: int
    last_at: datetime
    #: The lowest of them.
    confidence: float


class GapsAnswer(msgspec.Struct, frozen=True, rename="camel"):
    """Gaps, the most asked first, then the latest."""

    project_id: str
    gaps: list[Gap]
    #: Whether the words of questions are kept at all.
    logged: bool
    retention_days: int


async def gaps_answer(
    questions: Questions, project_id: str, limit: int = DEFAULT_LIMIT
) -> GapsAnswer:
    """List what was asked and not answered.

    Raises:
        BadRequestError: *limit* is out of range.
    """
    if not 1 <= limit <= MOST:
        raise BadRequestError("limit", f"must be 1 to {MOST}.")
    pointer = await questions.reader.pointer(project_id)
    async with transaction(questions.pool) as connection:
        rows = await list_gaps(connection, pointer.source_id, likely_from=THRESHOLD, limit=limit)
    settings = questions.journal.settings
    return GapsAnswer(
        project_id=project_id,
        gaps=[Gap(**msgspec.structs.asdict(row)) for row in rows],
        logged=settings.logs_queries and settings.keeps_words,
        retention_days=settings.retention_days,
    )
