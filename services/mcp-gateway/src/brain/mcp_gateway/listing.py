"""Listings: a node's children in as few words as tell them apart.

Names stand relative to the node that holds them; a title or a summary that repeats what was just
said is left out. The more children a page holds, the less it says of each: whole summaries with
sizes, then shorter and shorter summaries, at last names, with titles where names say little.
"""

import re
from collections.abc import Sequence

import msgspec

from brain.query.node_view import BestPlace, NodeView
from brain.tree.node import id_readings
from brain.tree.summary.wording import MAX_CHARS, cut

#: A title adds something when at least this share of its words is not in the name.
_NEWS = 0.34
#: Children of a folder that is small, and of one that is large.
_FEW = 12
_MANY = 40
_LEAST_CHARS = 40
#: Of a name that only says where one is.
_LANDMARK_CHARS = 32
#: Of the titles of a place beneath a child.
_PLACE_CHARS = 80
_WORD = re.compile(r"[^\W_]+")


class Detail(msgspec.Struct, frozen=True):
    """How much is said of each child."""

    #: Characters of a summary at most; 0 for none.
    summary_chars: int
    #: Tokens of text that a page of this detail may take.
    page_tokens: int
    #: Whether everything known is said: kind, sizes, the rule of the summary.
    is_whole: bool = False


NAMES = Detail(0, 0)
#: The first that fits is used.
DETAILS = (
    Detail(MAX_CHARS, 600, is_whole=True),
    Detail(180, 1_000),
    *(Detail(chars, 1_400) for chars in (140, 110, 90, 70, 50)),
    NAMES,
)


class Place(msgspec.Struct, frozen=True, rename="camel"):
    """A node beneath a child, with the lines that meet the words.

    The title is its document's, and its own behind it, where its id does not say them.
    """

    id: str
    line_start: int
    line_end: int
    match: float
    title: str | msgspec.UnsetType = msgspec.UNSET
    status: str | msgspec.UnsetType = msgspec.UNSET


class Child(msgspec.Struct, frozen=True, rename="camel"):
    """A listed child, saying what the text says; what is absent was left out for its length.

    Ask with a smaller limit to see it. An id that ends in a slash is a folder's, one with ``#`` a
    section's or card's, any other a document's.
    """

    id: str
    kind: str | msgspec.UnsetType = msgspec.UNSET
    #: Absent as well when the id says it.
    title: str | msgspec.UnsetType = msgspec.UNSET
    summary: str | msgspec.UnsetType = msgspec.UNSET
    summary_source: str | msgspec.UnsetType = msgspec.UNSET
    status: str | msgspec.UnsetType = msgspec.UNSET
    tokens: int | msgspec.UnsetType = msgspec.UNSET
    child_count: int | msgspec.UnsetType = msgspec.UNSET
    children: "list[Child] | msgspec.UnsetType" = msgspec.UNSET
    #: How well its best passage meets the words, 1 at most, and where beneath it, best first.
    match: float | msgspec.UnsetType = msgspec.UNSET
    best: list[Place] | msgspec.UnsetType = msgspec.UNSET


class Landmark(msgspec.Struct, frozen=True):
    """The child at an offset beyond the page; children of a folder stand in name order.

    A long name is cut, and one of a document stands without its ending.
    """

    offset: int
    name: str


def said(view: NodeView, parent: NodeView, detail: Detail) -> Child:
    """Say of a child what the detail allows and its parent did not say already."""
    name = relative(view.id, parent.id)
    title = view.title if adds_words(view.title, name) else ""
    summary = cut(_news(view, parent), _allowance(view, detail)) if detail.summary_chars else ""
    below = view.children
    children = (
        [said(each, view, detail) for each in below] if isinstance(below, list) else msgspec.UNSET
    )
    if detail.is_whole:
        return Child(
            id=view.id,
            kind=view.kind,
            title=view.title,
            summary=summary,
            summary_source=view.summary_source,
            status=view.status,
            tokens=view.tokens,
            child_count=view.child_count,
            children=children,
            match=view.match,
            best=_best(view),
        )
    return Child(
        id=view.id,
        title=title or msgspec.UNSET,
        summary=summary or msgspec.UNSET,
        status=view.status,
        tokens=view.tokens if detail.summary_chars and view.id.endswith("/") else msgspec.UNSET,
        children=children,
        match=view.match,
        best=_best(view),
    )


def _best(view: NodeView) -> list[Place] | msgspec.UnsetType:
    """Say where beneath a child words are met; nothing where that is in itself alone."""
    if not isinstance(view.best, list) or not view.best:
        return msgspec.UNSET
    return [
        Place(each.id, each.line_start, each.line_end, each.match, _titles(each), each.status)
        for each in view.best
    ]


def _titles(place: BestPlace) -> str | msgspec.UnsetType:
    titles: list[str] = []
    for title in (place.document_title, place.title):
        if adds_words(title, " ".join((place.id, *titles))):
            titles.append(title)
    return cut(" > ".join(titles), _PLACE_CHARS) or msgspec.UNSET


def _allowance(view: NodeView, detail: Detail) -> int:
    """Give a folder of many children twice the room, one of few or a document half of it."""
    if detail.is_whole or view.child_count < _FEW or not view.id.endswith("/"):
        return (
            detail.summary_chars
            if detail.is_whole
            else max(_LEAST_CHARS, detail.summary_chars // 2)
        )
    return min(MAX_CHARS, detail.summary_chars * (2 if view.child_count >= _MANY else 1))


def line(child: Child, parent_id: str) -> str:
    """Write a child in one line, and what it holds in lines below it, moved in."""
    name = relative(child.id, parent_id)
    if not isinstance(child.kind, str):
        name = name.removesuffix(".md")
    status = f" [{child.status}]" if isinstance(child.status, str) else ""
    title = child.title if isinstance(child.title, str) and adds_words(child.title, name) else ""
    size = _size(child)
    summary = f": {child.summary}" if child.summary else ""
    below = child.children if isinstance(child.children, list) else []
    match = f" {child.match:.2f}" if isinstance(child.match, float) else ""
    own = f"{name}{match}{status}{' ' if title else ''}{title}{size}{summary}\n"
    places = child.best if isinstance(child.best, list) else []
    own += "".join(place_line(each, parent_id) for each in places)
    return own + "".join(f"  {line(each, child.id)}" for each in below)


def place_line(place: Place, parent_id: str) -> str:
    """Write where beneath a child words are met, named as children are."""
    status = f" [{place.status}]" if isinstance(place.status, str) else ""
    name = relative(place.id, parent_id)
    title = f" {place.title}" if isinstance(place.title, str) else ""
    where = f"{name}:{place.line_start}-{place.line_end}"
    return f"> {where} {place.match:.2f}{status}{title}\n"


def _size(child: Child) -> str:
    if not isinstance(child.tokens, int):
        return ""
    if not isinstance(child.child_count, int):
        return f" {_rounded(child.tokens)}"
    below = f", {child.child_count} children" if child.child_count else ""
    return f" ({child.tokens} tokens{below})"


def _rounded(tokens: int) -> str:
    """Round a count: 870, 87k, 5M."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if tokens >= unit:
            return f"{tokens // unit}{name}"
    return str(tokens)


def relative(child_id: str, parent_id: str) -> str:
    """Return the part of a child's id that its parent's does not have: a name, or ``#anchor``."""
    above, _ = next(id_readings(parent_id))
    return child_id if above == "/" else child_id.removeprefix(above)


def adds_words(title: str, name: str) -> bool:
    """Say whether a title tells more than the name: a third of its words or more are others."""
    words = [word.casefold() for word in _WORD.findall(title)]
    if not words:
        return False
    known = {word.casefold() for word in _WORD.findall(name)}
    return sum(word not in known for word in words) >= _NEWS * len(words)


def _news(view: NodeView, parent: NodeView) -> str:
    """Return a summary without what its title or its parent says."""
    if view.summary == parent.summary:
        return ""
    rest = view.summary.removeprefix(view.title)
    return (
        rest.lstrip(" :.") if rest != view.summary and rest[:1] in (":", ".", "") else view.summary
    )


def landmarks(
    children: Sequence[NodeView], parent_id: str, first: int, most: int
) -> list[Landmark]:
    """Name every so-many-th child of a folder from an offset on, to go to a name at once.

    Sections stand in the order of their document, where a name tells nothing of its neighbours.
    """
    if not parent_id.endswith("/"):
        return []
    step = max(20, -(-(len(children) - first) // most))
    return [
        Landmark(at, relative(children[at].id, parent_id).removesuffix(".md")[:_LANDMARK_CHARS])
        for at in range(first, len(children), step)
    ]
