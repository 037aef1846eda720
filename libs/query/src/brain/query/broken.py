"""Broken links: links of the indexed documents that lead nowhere, and on request why."""

import msgspec

from brain.gitmirror.mirror import Mirror
from brain.gitmirror.removal import Removal, find_removal
from brain.query.errors import BadRequestError
from brain.query.freshness import Freshness
from brain.query.healing import present_path
from brain.query.link_graph import BrokenLink, link_graph
from brain.query.reader import Reader
from brain.query.view import View
from brain.store.pointer import Pointer
from brain.tree.foreign_anchor import ForeignAnchor

MOST_BROKEN = 5_000
MOST_CAUSES = 20


class Cause(msgspec.Struct, frozen=True, rename="camel"):
    """What broke a link; ``unknown`` where the bounded history does not tell."""

    commit: str
    date: str
    message: str
    #: Where the target probably is now; None when it was not renamed, or is not indexed there.
    likely_target: str | None


class BrokenView(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """One broken link."""

    from_: str
    target: str
    kind: str
    line: int
    #: Of an anchor that names a heading elsewhere: the dialect, and what works here.
    foreign: ForeignAnchor | msgspec.UnsetType = msgspec.UNSET
    cause: Cause | str | msgspec.UnsetType = msgspec.UNSET


class BrokenAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """The broken links of the indexed documents, by path and line, 5,000 at most."""

    project_id: str
    links: list[BrokenView]
    total: int
    truncated: bool


async def broken_answer(
    reader: Reader, project_id: str, *, causes_from: int | None = None, causes: int = MOST_CAUSES
) -> BrokenAnswer:
    """List the links that lead nowhere.

    Args:
        reader: reads the index and the texts.
        project_id: the project.
        causes_from: explain a window of links beginning with this one; None explains none.
        causes: length of that window, at most 20.

    Raises:
        BadRequestError: the window is out of range.
        what `Reader.answer` raises.
    """
    if causes_from is not None and (causes_from < 0 or not 1 <= causes <= MOST_CAUSES):
        raise BadRequestError("causes", f"must lie between 1 and {MOST_CAUSES}, from 0 on.")
    pointer, broken = await reader.answer(project_id, _broken)
    links = [_view(each) for each in broken[:MOST_BROKEN]]
    if causes_from is not None:
        window = range(causes_from, min(causes_from + causes, len(links)))
        found = await reader.texts.run_on_mirror(
            pointer, lambda mirror: [_cause(mirror, pointer, broken[number]) for number in window]
        )
        for number, cause in zip(window, found, strict=True):
            links[number] = msgspec.structs.replace(links[number], cause=cause)
    return BrokenAnswer(
        project_id=project_id,
        links=links,
        total=len(broken),
        truncated=len(broken) > MOST_BROKEN,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
    )


async def _broken(view: View) -> tuple[Pointer, tuple[BrokenLink, ...]]:
    graph = await link_graph(view)
    return view.pointer, graph.broken


def _view(link: BrokenLink) -> BrokenView:
    foreign = link.foreign or msgspec.UNSET
    return BrokenView(link.from_, link.target, link.kind, link.line, foreign)


def _cause(mirror: Mirror, pointer: Pointer, link: BrokenLink) -> Cause | str:
    """Find what took a link's target away; anchors and bare names have no path to ask for."""
    if link.kind != "link":
        return "unknown"
    removal: Removal | None = find_removal(mirror, pointer.commit, link.resolved.encode())
    if removal is None:
        return "unknown"
    renamed = removal.renamed_to
    target = present_path(mirror, pointer, renamed.decode("utf-8", "replace")) if renamed else None
    return Cause(removal.commit, removal.date, removal.subject, target)
