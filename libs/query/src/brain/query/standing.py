"""Standing: whether a document still holds, and what took its place."""

from datetime import date

import msgspec

from brain.query.search_index import SearchIndex
from brain.tree.summary.status import OUT_OF_FORCE


class Standing(msgspec.Struct, frozen=True):
    """Why a document no longer holds."""

    #: Its status, ``superseded`` when another document says so, or ``expired``.
    status: str
    #: Names what replaced it, as written; empty when nothing says.
    replaced_by: str = ""


def standing_of(index: SearchIndex, number: int, today: date) -> Standing | None:
    """Return why a document no longer holds; None when it does.

    Args:
        index: that holds the document.
        number: of the document.
        today: the day that decides what has expired.
    """
    document = index.documents[number]
    _, successor = index.successors.get(number, (None, ""))
    named = ", ".join(name.strip("[] ") for name in document.superseded_by) or successor
    if document.status in OUT_OF_FORCE:
        return Standing(document.status, named)
    if named:
        return Standing("superseded", named)
    if document.valid_until and document.valid_until < today.isoformat():
        return Standing("expired")
    return None
