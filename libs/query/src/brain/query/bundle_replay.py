"""Replay: a bundle's text again, to the byte, from its section list and Git alone."""

import msgspec

from brain.gitmirror.libgit2 import MirrorError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import open_snapshot
from brain.markdown.line_index import decode_shown
from brain.query.bundle_manifest import Compiled, Manifest, candidate_of, stored_request
from brain.query.bundle_shelf import BundleShelf, digest_of
from brain.query.errors import BundleNotReplayableError, BundleUnknownError
from brain.query.reader import Reader
from brain.search.bundle import BudgetTooSmallError, Candidate, pack_bundle
from brain.store.bundles import BundleRow
from brain.store.pointer import Pointer

_OTHERWISE = "this release renders it differently"


async def find_made(
    reader: Reader, shelf: BundleShelf, project_id: str, bundle_id: str
) -> tuple[Pointer, Compiled]:
    """Return a bundle that was made before; a text that was pruned is made again from Git.

    Raises:
        BundleUnknownError: the source has no such bundle.
        BundleNotReplayableError: its text was pruned and cannot be made again.
    """
    pointer = await reader.pointer(project_id)
    found = await shelf.find(pointer.source_id, bundle_id)
    if found:
        return pointer, found[0]
    return await replay(reader, shelf, project_id, bundle_id)


async def replay(
    reader: Reader, shelf: BundleShelf, project_id: str, bundle_id: str
) -> tuple[Pointer, Compiled]:
    """Make a bundle's text again from Git and compare it with what was given out.

    Only the sections are packed again: what stood behind or between them does not change how they
    are packed.

    Raises:
        BundleUnknownError: the source has no such bundle.
        BundleNotReplayableError: objects are gone, the task was not kept, or bytes differ.
    """
    pointer = await reader.pointer(project_id)
    row = await shelf.row(pointer.source_id, bundle_id)
    if row is None:
        raise BundleUnknownError(bundle_id)
    if not row.task:
        raise BundleNotReplayableError(bundle_id, "its task was not kept")
    made = await reader.texts.run_on_mirror(pointer, lambda mirror: _made(mirror, row))
    if digest_of(made.text) != row.sha256:
        raise BundleNotReplayableError(bundle_id, _OTHERWISE)
    return pointer, made


def _made(mirror: Mirror, row: BundleRow) -> Compiled:
    stored = stored_request(row)
    if stored is None:
        raise BundleNotReplayableError(row.id, _OTHERWISE)
    request, state, manifest = stored
    try:
        candidates = _candidates(mirror, row, manifest)
    except MirrorError as error:
        reason = f"the mirror no longer holds all of commit {row.commit}"
        raise BundleNotReplayableError(row.id, reason) from error
    packing = msgspec.structs.replace(request.packing(state), bundle_id=row.id)
    try:
        text = pack_bundle(packing, candidates).text
    except BudgetTooSmallError as error:
        raise BundleNotReplayableError(row.id, _OTHERWISE) from error
    return Compiled(row.id, request, state, manifest, text)


def _candidates(mirror: Mirror, row: BundleRow, manifest: Manifest) -> list[Candidate]:
    if not manifest.sections:
        return []
    snapshot = open_snapshot(mirror.root, mirror.source_id, row.commit)
    texts: dict[str, str] = {}
    candidates = []
    for kept in sorted(manifest.sections, key=lambda each: each.rank):
        path = kept.section.path
        if path not in texts:
            texts[path] = decode_shown(snapshot.read(path.encode("utf-8", "surrogatepass")))
        candidates.append(candidate_of(kept, texts[path][kept.char_start : kept.char_end]))
    return candidates
