"""Bundles: the best passages for a task as one text within a token budget."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime

import msgspec

from brain.query.bundle_manifest import (
    BundleRequest,
    Compiled,
    Evidence,
    Found,
    LegRank,
    ListedSection,
    manifest_of,
)
from brain.query.bundle_shelf import BundleShelf, Where
from brain.query.errors import BadRequestError, BudgetTooSmallError
from brain.query.governing import Entry, led_by_paths, require_paths
from brain.query.ranking import Filters, Ranked, rank
from brain.query.reader import Reader
from brain.query.scopes import chosen_scopes
from brain.query.search import Passage, passages, prose_of
from brain.query.search_index import search_index
from brain.query.search_state import search_state
from brain.query.view import View
from brain.search.bundle import BudgetTooSmallError as PackedTooSmallError
from brain.search.bundle import Candidate, pack_bundle
from brain.search.code_paths import clean_paths
from brain.search.question import MAX_CHARS
from brain.store.pointer import Pointer

DEFAULT_TOKENS = 2_000
MOST_TOKENS = 100_000
#: Ranked passages that may enter a bundle.
CANDIDATES = 40
ALL_SCOPES = "all"


class BundleTask(msgspec.Struct, frozen=True):
    """A task as a caller gives it."""

    task: str
    max_tokens: int = DEFAULT_TOKENS
    scopes: tuple[str, ...] = ()
    #: Code paths that the task touches.
    paths: tuple[str, ...] = ()
    #: Whether the budget also holds what an agent is told beside the text.
    for_agent: bool = False


async def compile_bundle(
    reader: Reader,
    shelf: BundleShelf,
    project_id: str,
    asked: BundleTask,
    today: date | None = None,
) -> tuple[Pointer, Compiled, Where]:
    """Return the bundle of a task at the indexed commit, made now unless it was made before.

    Documents that cover one of the code paths lead; see `brain.query.governing`. Equal requests at
    one state of the index give equal bytes, on any machine.

    Raises:
        BadRequestError: the task, the budget, a scope or a path means nothing.
        BudgetTooSmallError: the budget does not hold an empty bundle.
        TextUnavailableError: the objects have not arrived.
    """
    _require_sense(asked)
    day = today or datetime.now(UTC).date()

    async def use(view: View) -> tuple[Pointer, BundleRequest]:
        return view.pointer, await _request(view, asked, day)

    pointer, request = await reader.answer(project_id, use)
    found = await shelf.find(pointer.source_id, request.bundle_id(search_state(pointer)))
    if found:
        return pointer, *found
    pointer, made = await _made(reader, project_id, asked, day)
    return pointer, await shelf.keep(pointer.source_id, made), "made"


def _require_sense(asked: BundleTask) -> None:
    if not asked.task.strip() or len(asked.task) > MAX_CHARS:
        raise BadRequestError("task", f"must hold 1 to {MAX_CHARS:,} characters.")
    if not 1 <= asked.max_tokens <= MOST_TOKENS:
        raise BadRequestError("maxTokens", f"must be 1 to {MOST_TOKENS:,}.")
    require_paths(asked.paths)
    for name, text in (("task", asked.task), *(("paths", path) for path in asked.paths)):
        if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
            raise BadRequestError(name, "holds a NUL or half a surrogate pair.")


async def _request(view: View, asked: BundleTask, day: date) -> BundleRequest:
    index = await search_index(view)
    scopes = chosen_scopes(asked.scopes, index.scope_counts)
    return BundleRequest(
        task=asked.task.strip(),
        scopes=(ALL_SCOPES,) if scopes is None else tuple(sorted(scopes)),
        max_tokens=asked.max_tokens,
        paths=clean_paths(asked.paths),
        day=day,
        for_agent=asked.for_agent,
    )


class _Gathered(msgspec.Struct, frozen=True):
    """What one commit says to a task, without text."""

    request: BundleRequest
    ranked: Ranked
    passages: list[Passage]
    #: When each document was last changed, seconds since the epoch; 0 when unknown.
    changed: dict[str, int]


async def _made(
    reader: Reader, project_id: str, asked: BundleTask, day: date
) -> tuple[Pointer, Compiled]:
    async def use(view: View) -> tuple[Pointer, _Gathered]:
        return view.pointer, await _gathered(view, asked, day)

    pointer, gathered = await reader.answer(project_id, use)
    blobs = [each.document.blob for each in gathered.passages]
    texts = await reader.texts.read_all(pointer, blobs)
    return pointer, await asyncio.to_thread(_packed, pointer, gathered, texts)


async def _gathered(view: View, asked: BundleTask, day: date) -> _Gathered:
    request = await _request(view, asked, day)
    ranked = await rank(view, request.task, Filters(scopes=asked.scopes), "hybrid", today=day)
    entries = await view.derive(lambda: _candidates(ranked, request))
    found = await passages(view, ranked, entries, today=day)
    paths = sorted({each.document.path for each in found})
    return _Gathered(request, ranked, found, await view.change_times(paths))


def _candidates(ranked: Ranked, request: BundleRequest) -> Sequence[Entry]:
    scopes = None if request.scopes == (ALL_SCOPES,) else frozenset(request.scopes)
    return led_by_paths(ranked.index, ranked.entries, request.paths, scopes)[:CANDIDATES]


def _found(gathered: _Gathered, passage: Passage, data: bytes) -> Found:
    place = passage.place
    prose = prose_of(passage, data)
    changed_at = gathered.changed[passage.document.path]
    updated = datetime.fromtimestamp(changed_at, UTC).date().isoformat() if changed_at else None
    listed = ListedSection(passage.fused.id, passage.node_id, prose.line_start, place.line_end)
    return Found(
        Candidate(
            chunk_id=passage.fused.id,
            node_id=passage.node_id,
            path=passage.document.path,
            breadcrumb=passage.breadcrumb,
            scope=passage.scope,
            line_start=prose.line_start,
            line_end=place.line_end,
            content=prose.text,
            has_heading=place.part == 0 and place.node > 0,
            note=_note(updated, passage),
            beside=listed.tokens if gathered.request.for_agent else 0,
        ),
        tuple(LegRank(each.leg, each.rank) for each in passage.fused.places),
        updated,
        prose.char_start,
        place.char_end,
    )


def _note(updated: str | None, passage: Passage) -> str:
    """Say how old a section is, and that it no longer holds."""
    parts = [f"updated {updated}"] if updated else []
    if passage.status:
        by = f", see {passage.replaced_by}" if passage.replaced_by else ""
        parts.append(f"{passage.status}{by}")
    return "; ".join(parts)


def _packed(pointer: Pointer, gathered: _Gathered, texts: Sequence[bytes]) -> Compiled:
    passages = zip(gathered.passages, texts, strict=True)
    found = [_found(gathered, each, data) for each, data in passages]
    state = search_state(pointer)
    request = gathered.request
    try:
        bundle = pack_bundle(request.packing(state), [each.candidate for each in found])
    except PackedTooSmallError as error:
        raise BudgetTooSmallError(error.minimum) from error
    evidence = Evidence(
        round(gathered.ranked.confidence, 4),
        round(max((fused.score for _, fused in gathered.ranked.entries), default=0.0), 6),
        gathered.ranked.warnings,
    )
    manifest = manifest_of(bundle, found, evidence)
    return Compiled(request.bundle_id(state), request, state, manifest, bundle.text)
