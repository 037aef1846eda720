"""Guided tree: the children of a node, ordered by how well what is beneath each meets words."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

import msgspec
import numpy as np

from brain.query.beneath import (
    MOST_PLACES,
    Matches,
    Spot,
    beneath_folder,
    child_above,
    matches_of,
    path_order,
    within_document,
)
from brain.query.best_places import MATCH_DIGITS, AskedPlaces, best_places
from brain.query.errors import BadRequestError
from brain.query.node_ref import FoundNode, document_nodes, find_node
from brain.query.node_view import NodeView
from brain.query.page_cursor import PageCursor
from brain.query.ranking import asked_postings
from brain.query.search_index import SearchIndex, search_index
from brain.query.search_state import search_state
from brain.query.standing import standing_of
from brain.query.tree import EVERY_CHILD, TreePage, read_tree, require_page, with_children
from brain.query.view import View
from brain.search.bm25 import Mask, score_keywords
from brain.tree.node import node_id

#: Characters of the words at most.
MOST_WORDS_CHARS = 200
#: Children of one page at most: what stands behind is worth little.
MOST_GUIDED = 50
#: Of the first so many children in the order so many places are told, of later ones one.
_PLACES = ((3, MOST_PLACES), (8, 2))

NO_INDEX = "This commit has no search index yet: the children stand in their usual order."
NO_MATCH = (
    "Nothing beneath a child holds these words: the children stand in their usual order. Ask in "
    "other words, or without any to page on."
)


class GuidedPage(msgspec.Struct, frozen=True):
    """A page of the children that match; without any match, of all in their usual order."""

    page: TreePage
    #: Children that match; None when nothing could tell.
    matching: int | None
    #: Of the next page of children that match.
    next_cursor: str | None
    warnings: list[str]
    pages: PageCursor
    #: Of the first child of the page in the order.
    offset: int


class Guidance(msgspec.Struct, frozen=True):
    """The words a node is opened with, and where to go on."""

    words: str
    cursor: str = ""


def guidance_of(words: str | None, cursor: str, offset: int) -> Guidance | None:
    """Return how a node is to be opened; None in its usual order.

    Raises:
        BadRequestError: a cursor without words, or an offset beside them.
    """
    if words is None:
        if cursor:
            raise BadRequestError("cursor", "goes with the words it was given for.")
        return None
    if offset:
        raise BadRequestError("offset", "does not go with words; continue with nextCursor.")
    return Guidance(words, cursor)


class _Order(msgspec.Struct, frozen=True):
    """Children that match, best first, and where in them or beneath them."""

    index: SearchIndex
    matches: Matches
    children: list[str]
    spots_of: Callable[[str], Sequence[Spot]]


async def read_guided(
    view: View, node: str, guidance: Guidance, *, depth: int, limit: int
) -> GuidedPage:
    """Return the children of a node that match words, best first.

    A child is worth what the best passage in it or beneath it scores by keywords. Scopes are left
    aside: the node says where to look. Each child brings the best nodes beneath it, below a folder
    each of another document. When nothing matches, or nothing can tell, the page is the one there
    is without words, with a warning.

    Args:
        view: of the commit.
        node: to open.
        guidance: words of 1 to 200 characters, not blank, and the cursor of a page before.
        depth: 2 brings the first 20 children of each child as well, in their usual order.
        limit: children at most; of those that match never more than 50.

    Raises:
        NodeNotFoundError: there is no such node.
        BadRequestError: the words are blank or too long, or an argument is out of range.
        IndexMovedError: the cursor is of an index before.

    Source: docs/decisions/0021-words-for-the-tree.md.
    """
    require_page(depth=depth, offset=0, limit=limit)
    words = guidance.words.strip()
    if not words or len(guidance.words) > MOST_WORDS_CHARS:
        raise BadRequestError("words", f"must hold 1 to {MOST_WORDS_CHARS} characters.")
    whole = await read_tree(view, node, depth=1, offset=0, limit=EVERY_CHILD)
    asked = (str(view.source_id), whole.node.id, words)
    pages = PageCursor(asked, search_state(view.pointer))
    offset = pages.offset_of(guidance.cursor)
    order = await _ordered(view, whole, words)
    if order is None or not order.children:
        usual = await read_tree(view, node, depth=depth, offset=0, limit=limit)
        if not whole.children:
            return GuidedPage(usual, 0, None, [], pages, 0)
        matching, warning = (None, NO_INDEX) if order is None else (0, NO_MATCH)
        return GuidedPage(usual, matching, None, [warning], pages, 0)
    if offset >= len(order.children):
        raise BadRequestError("cursor", "leads beyond the children that match.")
    end = min(offset + min(limit, MOST_GUIDED), len(order.children))
    children = await _children(view, whole, order, range(offset, end))
    if depth == 2:  # noqa: PLR2004 - the only depth beyond one
        children = [await with_children(view, child) for child in children]
    page = msgspec.structs.replace(whole, children=children, next_offset=None)
    matching = len(order.children)
    following = pages.at(end) if end < matching else None
    return GuidedPage(page, matching, following, [], pages, offset)


async def _ordered(view: View, whole: TreePage, words: str) -> _Order | None:
    """Order the children of a node; None when the commit has no search index."""
    index = await search_index(view)
    if not index.segment_ids:
        return None
    question, postings = await asked_postings(view, index, words)
    mask = await _out_of_force(view, index)
    matches = await view.derive(
        lambda: matches_of(index, score_keywords(question, postings, index.collection), mask)
    )
    found = await find_node(view, whole.node.id)
    if isinstance(found, FoundNode):
        beneath = await _beneath_node(view, found, index, matches)
        return _Order(index, matches, list(beneath), beneath.__getitem__)
    ordered = await view.once(
        "path order",
        lambda numbers: numbers.nbytes,
        lambda: view.derive(lambda: path_order(index)),
    )
    children = [child.id for child in whole.children]
    ranking = await view.derive(lambda: beneath_folder(index, ordered, matches, children))
    return _Order(index, matches, list(ranking.children), ranking.spots_of)


async def _beneath_node(
    view: View, found: FoundNode, index: SearchIndex, matches: Matches
) -> dict[str, list[Spot]]:
    """Group what matches in a document by the child of the node that was opened."""
    path = found.document.path
    nodes = document_nodes(found.document)
    places = (await view.places([path]))[path]
    beneath: dict[str, list[Spot]] = {}
    for spot in within_document(index, matches, path):
        child = child_above(nodes, found.number, places[spot.place].node)
        if child is not None:
            spots = beneath.setdefault(node_id(path, nodes[child].anchor), [])
            spots.append(spot)
    return beneath


async def _children(view: View, whole: TreePage, order: _Order, ranks: range) -> list[NodeView]:
    """Return the children at some ranks of the order, each with the best places beneath it."""
    views = {child.id: child for child in whole.children}
    ids = order.children[ranks.start : ranks.stop]
    asked = []
    matches = []
    for rank, child in zip(ranks, ids, strict=True):
        spots = order.spots_of(child)
        matches.append(round(spots[0].worth, MATCH_DIGITS))
        if views[child].kind == "document":
            spots = within_document(order.index, order.matches, child)
        most = next((most for end, most in _PLACES if rank < end), 1)
        asked.append(AskedPlaces(child, spots, most))
    best = await best_places(view, order.index, asked)
    return [
        msgspec.structs.replace(views[child], match=match, best=places)
        for child, match, places in zip(ids, matches, best, strict=True)
    ]


async def _out_of_force(view: View, index: SearchIndex) -> Mask:
    """Return by number of each document whether it no longer holds; held for a day."""
    day = datetime.now(UTC).date()

    async def make() -> Mask:
        return await view.derive(lambda: _standing(index, day))

    return await view.once(f"out of force {day}", lambda mask: mask.nbytes, make)


def _standing(index: SearchIndex, day: date) -> Mask:
    mask = np.zeros(len(index.documents), np.bool_)
    for number in index.numbers.values():
        mask[number] = standing_of(index, number, day) is not None
    return mask
