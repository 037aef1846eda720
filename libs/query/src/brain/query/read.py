"""Read: a node's text with its citation, its children and its links."""

from typing import Literal

import msgspec

from brain.query.errors import BadRequestError
from brain.query.links import IncomingLink, Links, OutgoingLink, links_of
from brain.query.node_ref import FoundFolder, FoundNode, find_node
from brain.query.node_view import NODE_VIEW_BYTES, Crumb, NodeView
from brain.query.reader import Reader
from brain.query.texts import lines_of
from brain.query.tree import breadcrumb_of, children_of, view_of
from brain.query.view import View
from brain.store.pointer import Pointer
from brain.tree.child_order import child_order, is_readme
from brain.tree.node import name_of, node_id, token_count

Scope = Literal["auto", "node", "subtree"]

#: With ``auto`` a node with children is read whole up to this many tokens.
_WHOLE_TOKENS = 6_000
MEMBER_CHARACTERS = 24_000
PORTAL_CHARACTERS = 200_000
_CHILDREN_SHOWN = 50


class Citation(msgspec.Struct, frozen=True, rename="camel"):
    """The lines that were read: 1-based, inclusive, Git's."""

    node_id: str
    path: str
    line_start: int
    line_end: int
    commit: str


class ReadOptions(msgspec.Struct, frozen=True):
    """What a caller asks of a read."""

    scope: Scope = "auto"
    #: Continue at this line; 0 starts at the node's first.
    from_line: int = 0
    #: Characters of text at most.
    characters: int = MEMBER_CHARACTERS
    #: Start every line with its number and a tab, so that single lines can be cited.
    line_numbers: bool = True


class NodeRead(msgspec.Struct, frozen=True, rename="camel"):
    """A node as it is read. A folder reads as its README.md or index.md, or without text.

    What has no line of its own, such as a document that starts with a heading, has no citation.
    """

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
    #: Where to continue; None when everything was read.
    next_line: int | None


class _Plan(msgspec.Struct, frozen=True):
    """What to read, decided inside the view; the text comes afterwards."""

    node: NodeView
    breadcrumb: list[Crumb]
    children: list[NodeView]
    links: Links
    text_of: FoundNode | None
    first: int
    last: int


async def read_node(
    reader: Reader, project_id: str, node: str, options: ReadOptions
) -> tuple[Pointer, NodeRead]:
    """Read one node of the indexed commit.

    Raises:
        NodeNotFoundError: there is no such node.
        BadRequestError: from_line lies outside what the scope reads.
        TextUnavailableError: the objects have not arrived.
    """
    pointer, plan = await reader.answer(project_id, lambda view: _plan(view, node, options))
    if plan.text_of is None or plan.last < plan.first:
        return pointer, _answer(plan, "", None, None, line_numbers=False)
    data = await reader.texts.read(pointer, plan.text_of.document.blob)
    lines = lines_of(data, plan.first, plan.last)
    shown, text, cut = _fit(lines, plan.first, options)
    last = plan.first + shown - 1
    citation = Citation(
        node_id=node_id(plan.text_of.document.path, plan.text_of.node.anchor),
        path=plan.text_of.document.path,
        line_start=plan.first,
        line_end=last,
        commit=pointer.commit,
    )
    next_line = last + 1 if shown < len(lines) else None
    answer = _answer(plan, text, citation, next_line, line_numbers=options.line_numbers)
    return pointer, msgspec.structs.replace(answer, truncated=answer.truncated or cut)


async def _plan(view: View, node: str, options: ReadOptions) -> tuple[Pointer, _Plan]:
    """Return the plan with the pointer it was asked under: the tip moves while the plan holds."""
    plan = await view.once(
        f"read {options.scope} {options.from_line} {node}",
        _size_bytes,
        lambda: _made_plan(view, node, options),
    )
    return view.pointer, plan


def _size_bytes(plan: _Plan) -> int:
    links = len(plan.links.outgoing) + len(plan.links.incoming)
    return (2 + len(plan.breadcrumb) + len(plan.children) + links) * NODE_VIEW_BYTES


async def _made_plan(view: View, node: str, options: ReadOptions) -> _Plan:
    found = await find_node(view, node)
    text_of = await _text_node(view, found)
    first, last = _range(text_of, options) if text_of else (0, 0)
    children, _ = await children_of(view, found, 0, _CHILDREN_SHOWN)
    return _Plan(
        node=await view_of(view, found),
        breadcrumb=await breadcrumb_of(view, found),
        children=children,
        links=await links_of(view, text_of, last) if text_of else Links([], 0, [], 0),
        text_of=text_of,
        first=first,
        last=last,
    )


async def _text_node(view: View, found: FoundFolder | FoundNode) -> FoundNode | None:
    """A folder's text is its home document's."""
    if isinstance(found, FoundNode):
        return found
    children = await view.children(found.row.path)
    homes = [each.path for each in children.documents if is_readme(name_of(each.path))]
    document = await view.document(min(homes, key=_home_order)) if homes else None
    return FoundNode(document, 0) if document else None


def _home_order(path: str) -> tuple[bool, int, str]:
    return child_order(name_of(path), is_folder=False)


def _range(found: FoundNode, options: ReadOptions) -> tuple[int, int]:
    node = found.node
    whole = options.scope == "subtree" or (
        options.scope == "auto" and token_count(node.size_chars) <= _WHOLE_TOKENS
    )
    last = node.line_end if whole else node.own_line_end
    first = options.from_line or node.line_start
    if not node.line_start <= first <= max(last, node.line_start):
        raise BadRequestError(
            "fromLine", f"must lie between {node.line_start} and {last} for this scope."
        )
    return first, last


def _fit(lines: list[str], first: int, options: ReadOptions) -> tuple[int, str, bool]:
    """Take whole lines up to the character limit; a first line longer than that is cut."""
    taken: list[str] = []
    room = options.characters
    cut = False
    for number, line in enumerate(lines, start=first):
        shown = f"{number}\t{line}" if options.line_numbers else line
        if len(shown) + 1 > room:
            if not taken:
                taken.append(shown[:room])
                cut = True
            break
        taken.append(shown)
        room -= len(shown) + 1
    return len(taken), "\n".join(taken), cut


def _answer(
    plan: _Plan, text: str, citation: Citation | None, next_line: int | None, *, line_numbers: bool
) -> NodeRead:
    return NodeRead(
        node=plan.node,
        breadcrumb=plan.breadcrumb,
        text=text,
        citation=citation,
        children=plan.children,
        outgoing=plan.links.outgoing,
        outgoing_total=plan.links.outgoing_total,
        incoming=plan.links.incoming,
        incoming_total=plan.links.incoming_total,
        line_numbers=line_numbers,
        truncated=next_line is not None,
        next_line=next_line,
    )
