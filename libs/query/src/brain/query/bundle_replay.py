"""Replay: a bundle's text again, to the byte, from its section list and Git alone."""

import msgspec

from brain.gitmirror.libgit2 import MirrorError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.snapshot import open_snapshot
from brain.markdown.line_index import decode_text
from brain.query.bundle_manifest import Compiled, Manifest, candidate_of, stored_request
from brain.query.bundle_shelf import BundleShelf, digest_of
from brain.query.errors import BundleNotReplayableError, BundleUnknownError
from brain.query.reader import Reader
from brain.search.bundle import Candidate, pack_bundle
from brain.store.bundles import BundleRow
from brain.store.pointer import Pointer


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
    if made is None:
        raise BundleNotReplayableError(
            bundle_id, f"the mirror no longer holds all of commit {row.commit}"
        )
    if digest_of(made.text) != row.sha256:
        raise BundleNotReplayableError(bundle_id, "this release renders it differently")
    return pointer, made


def _made(mirror: Mirror, row: BundleRow) -> Compiled | None:
    request, state, manifest = stored_request(row)
    try:
        candidates = _candidates(mirror, row, manifest)
    except MirrorError:
        return None
    packing = msgspec.structs.replace(request.packing(state), bundle_id=row.id)
    return Compiled(row.id, request, state, manifest, pack_bundle(packing, candidates).text)


def _candidates(mirror: Mirror, row: BundleRow, manifest: Manifest) -> list[Candidate]:
    if not manifest.sections:
        return []
    snapshot = open_snapshot(mirror.root, mirror.source_id, row.commit)
    texts: dict[str, str] = {}
    candidates = []
    for kept in sorted(manifest.sections, key=lambda each: each.rank):
        path = kept.section.path
        if path not in texts:
            texts[path] = decode_text(snapshot.read(path.encode("utf-8", "surrogatepass")))
        candidates.append(candidate_of(kept, texts[path][kept.char_start : kept.char_end]))
    return candidates
