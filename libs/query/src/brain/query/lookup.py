"""Lookup: the nodes a reference id, a node id or a path names."""

import msgspec

from brain.query.errors import BadRequestError, NodeNotFoundError
from brain.query.node_ref import Found, find_node
from brain.query.node_view import Crumb, NodeView
from brain.query.tree import breadcrumb_of, view_of
from brain.query.view import View
from brain.tree.node import node_id

_MOST = 50
_LONGEST_QUERY = 2_000


class Match(msgspec.Struct, frozen=True, rename="camel"):
    """One node with the way to it."""

    node: NodeView
    breadcrumb: list[Crumb]


async def look_up(view: View, query: str) -> list[Match]:
    """Return the nodes a query names: as a node id or path, as a reference id, as a file name.

    The first reading that names anything answers. Ids are tried as written and in upper case.

    Raises:
        BadRequestError: the query is empty or longer than 2,000 characters.
    """
    text = query.strip()
    if not text or len(text) > _LONGEST_QUERY:
        raise BadRequestError("query", "must hold 1 to 2,000 characters.")
    for found in (await _by_node_id(view, text), await _by_definition(view, text)):
        if found:
            return [
                Match(await view_of(view, each), await breadcrumb_of(view, each)) for each in found
            ]
    return []


async def _by_node_id(view: View, text: str) -> list[Found]:
    try:
        return [await find_node(view, text)]
    except NodeNotFoundError:
        return []


async def _by_definition(view: View, text: str) -> list[Found]:
    stem = text.rpartition("/")[2].removesuffix(".md")
    keys = dict.fromkeys((f"id:{text}", f"id:{text.upper()}", f"name:{stem.casefold()}"))
    named = await view.definitions(list(keys))
    for key in keys:
        ids = [node_id(each.path, each.anchor) for each in named[key][:_MOST]]
        found = [each for node in ids for each in await _by_node_id(view, node)]
        if found:
            return found
    return []
