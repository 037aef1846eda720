"""Answers: each read with the commit it comes from; what REST, MCP and the command line give."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from brain.query.errors import NodeNotFoundError
from brain.query.freshness import Freshness
from brain.query.grep import GrepMatch, GrepScope, Pattern, grep
from brain.query.guided_tree import Guidance, GuidedPage, read_guided
from brain.query.healing import moved_to
from brain.query.links import IncomingLink, OutgoingLink
from brain.query.lookup import Match, look_up
from brain.query.node_view import Crumb, NodeView
from brain.query.page_cursor import PageCursor
from brain.query.read import Citation, ReadOptions, read_node
from brain.query.reader import Reader
from brain.query.tree import TreePage, read_tree
from brain.query.view import View
from brain.store.pointer import Pointer

Answer = TypeVar("Answer")


class TreeAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """A node with one page of its children."""

    project_id: str
    breadcrumb: list[Crumb]
    node: NodeView
    children: list[NodeView]
    total: int
    next_offset: int | None
    #: Where the node asked for is now, when its document or heading was renamed.
    moved_to: str | None = None
    #: The words the children were asked for by; then only those that match are told, best first.
    words: str | msgspec.UnsetType = msgspec.UNSET
    #: Children that match, of *total*; None when nothing could tell.
    matching: int | msgspec.UnsetType | None = msgspec.UNSET
    #: Goes on behind the children that are told; None behind the last that matches.
    next_cursor: str | msgspec.UnsetType | None = msgspec.UNSET
    warnings: list[str] | msgspec.UnsetType = msgspec.UNSET


class ReadAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """A node's text with its citation, children and links."""

    project_id: str
    node: NodeView
    breadcrumb: list[Crumb]
    text: str
    citation: Citation | None
    children: list[NodeView]
    outgoing: list[OutgoingLink]
    outgoing_total: int
    incoming: list[IncomingLink]
    incoming_total: int
    line_numbers: bool
    truncated: bool
    next_line: int | None
    #: Where the node asked for is now, when its document or heading was renamed.
    moved_to: str | None = None


class LookupAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """The nodes that a query names."""

    project_id: str
    query: str
    matches: list[Match]
    #: Whether a budget left matches out.
    truncated: bool = False


class GrepAnswer(Freshness, frozen=True, rename="camel", kw_only=True):
    """The lines that match; space and label as they were used."""

    project_id: str
    matches: list[GrepMatch]
    truncated: bool
    space: str | None = None
    label: str | None = None


async def tree_answer(
    reader: Reader, project_id: str, node: str, *, depth: int, offset: int, limit: int
) -> TreeAnswer:
    """Answer `read_tree` at one commit."""

    async def ask(name: str) -> tuple[Pointer, TreePage]:
        async def use(view: View) -> tuple[Pointer, TreePage]:
            page = await read_tree(view, name, depth=depth, offset=offset, limit=limit)
            return view.pointer, page

        return await reader.answer(project_id, use)

    (pointer, page), place = await _healed(reader, project_id, node, ask)
    return TreeAnswer(
        project_id=project_id,
        moved_to=place,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
        **msgspec.structs.asdict(page),
    )


class GuidedAnswer(msgspec.Struct, frozen=True):
    """The children that match words, and where the next page begins if not all of them are told."""

    tree: TreeAnswer
    pages: PageCursor
    #: Of the first child in the order.
    offset: int


async def guided_tree_answer(
    reader: Reader, project_id: str, node: str, guidance: Guidance, *, depth: int, limit: int
) -> GuidedAnswer:
    """Answer `read_guided` at one commit."""

    async def ask(name: str) -> tuple[Pointer, GuidedPage]:
        async def use(view: View) -> tuple[Pointer, GuidedPage]:
            return view.pointer, await read_guided(view, name, guidance, depth=depth, limit=limit)

        return await reader.answer(project_id, use)

    (pointer, guided), place = await _healed(reader, project_id, node, ask)
    tree = TreeAnswer(
        project_id=project_id,
        moved_to=place,
        words=guidance.words.strip(),
        matching=guided.matching,
        next_cursor=guided.next_cursor,
        warnings=guided.warnings,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
        **msgspec.structs.asdict(guided.page),
    )
    return GuidedAnswer(tree, guided.pages, guided.offset)


async def read_answer(
    reader: Reader, project_id: str, node: str, options: ReadOptions
) -> ReadAnswer:
    """Answer `read_node` at one commit."""
    (pointer, read), place = await _healed(
        reader, project_id, node, lambda name: read_node(reader, project_id, name, options)
    )
    return ReadAnswer(
        project_id=project_id,
        moved_to=place,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
        **msgspec.structs.asdict(read),
    )


async def _healed(
    reader: Reader, project_id: str, node: str, ask: Callable[[str], Awaitable[Answer]]
) -> tuple[Answer, str | None]:
    """Ask for a node, and when it is gone for what Git's history says it became."""
    try:
        return await ask(node), None
    except NodeNotFoundError:
        pointer = await reader.pointer(project_id)
        place = await reader.texts.run_on_mirror(
            pointer, lambda mirror: moved_to(mirror, pointer, node)
        )
        if place is None or place == node:
            raise
        return await ask(place), place


async def lookup_answer(reader: Reader, project_id: str, query: str) -> LookupAnswer:
    """Answer `look_up` at one commit."""

    async def use(view: View) -> tuple[Pointer, list[Match]]:
        return view.pointer, await look_up(view, query)

    pointer, matches = await reader.answer(project_id, use)
    return LookupAnswer(
        project_id=project_id,
        query=query,
        matches=matches,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
    )


async def grep_answer(
    reader: Reader, project_id: str, pattern: Pattern, scope: GrepScope
) -> GrepAnswer:
    """Answer `grep` at one commit."""
    pointer, result = await grep(reader, project_id, pattern, scope)
    return GrepAnswer(
        project_id=project_id,
        matches=result.matches,
        truncated=result.truncated,
        space=scope.space or None,
        label=scope.label or None,
        **msgspec.structs.asdict(await reader.freshness(pointer)),
    )
