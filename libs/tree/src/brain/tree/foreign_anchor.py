"""Fragments written for another forge or site generator than the repository's."""

from collections.abc import Sequence

import msgspec

from brain.markdown.slug import unique_slugs
from brain.tree.config import AnchorDialect
from brain.tree.node import Node
from brain.tree.sections import UNTITLED

#: In the order they are tried: what a fragment is equal to first is what it was written for.
_TRIED: tuple[AnchorDialect, ...] = ("github", "gitlab", "mkdocs", "gitea", "obsidian")


class ForeignAnchor(msgspec.Struct, frozen=True):
    """The heading a fragment names elsewhere."""

    #: Where it would work.
    dialect: AnchorDialect
    #: What the heading is called here.
    anchor: str


def foreign_anchors(nodes: Sequence[Node], dialect: AnchorDialect) -> dict[str, ForeignAnchor]:
    """Return what headings of a document are called in other dialects, by that name.

    Names that some dialects share belong to the first of them.

    Args:
        nodes: of the document.
        dialect: of the repository; whatever its own slugs are is left out.
    """
    headings = [node for node in nodes[1:] if node.title != UNTITLED]
    titles = [node.title for node in headings]
    own = {node.slug for node in headings} | {node.anchor for node in headings}
    found: dict[str, ForeignAnchor] = {}
    for each in _TRIED:
        if each != dialect:
            for slug, node in zip(unique_slugs(titles, each), headings, strict=True):
                if slug not in own:
                    found.setdefault(slug, ForeignAnchor(each, node.anchor))
    return found
