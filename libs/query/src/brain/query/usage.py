"""Usage: which sections of a bundle were useful, as its reader says."""

from collections.abc import Sequence

import msgspec

from brain.query.bundle_manifest import stored_request
from brain.query.caller import Caller
from brain.query.errors import BadRequestError, BundleUnknownError
from brain.query.questions import Questions
from brain.store.bundles import UsageEvent, record_usage
from brain.store.pool import transaction

_MOST_CHUNKS = 200


class UsageAnswer(msgspec.Struct, frozen=True):
    """What was recorded: one event for each section of the bundle."""

    bundle_id: str
    recorded: int
    useful: int
    #: Named as useful, and not in the bundle.
    unknown_chunk_ids: list[str]


async def report_usage(
    questions: Questions,
    project_id: str,
    bundle_id: str,
    useful: Sequence[str],
    caller: Caller,
) -> UsageAnswer:
    """Record for each section of a bundle whether it was useful.

    Args:
        questions: of this process.
        project_id: the project.
        bundle_id: as `compile_bundle` gave it.
        useful: ids of chunks or nodes.
        caller: who says so.

    Raises:
        BadRequestError: too many chunks are named.
        BundleUnknownError: the source has no such bundle.
    """
    if len(useful) > _MOST_CHUNKS:
        raise BadRequestError("useful_chunk_ids", f"must be at most {_MOST_CHUNKS}.")
    pointer = await questions.reader.pointer(project_id)
    row = await questions.shelf.row(pointer.source_id, bundle_id)
    stored = stored_request(row) if row else None
    if row is None or stored is None:
        raise BundleUnknownError(bundle_id)
    _, _, manifest = stored
    named = set(useful)
    sections = [each.section for each in manifest.sections]
    events = [
        UsageEvent(each.chunk_id, each.chunk_id in named or each.node_id in named)
        for each in sections
    ]
    async with transaction(questions.pool) as connection:
        await record_usage(connection, pointer.source_id, row.id, events, caller.client)
    known = {name for each in sections for name in (each.chunk_id, each.node_id)}
    return UsageAnswer(
        row.id, len(events), sum(event.useful for event in events), sorted(named - known)
    )
