"""Freshness: what every answer says about the commit it comes from."""

import msgspec

from brain.store.pointer import Pointer


class Freshness(msgspec.Struct, frozen=True, rename="camel"):
    """The commit an answer comes from, and how far behind the branch it is."""

    commit: str
    branch: str
    tip: str
    #: Commits on the branch that are not indexed; None when the history cannot tell.
    behind_by: int | None
    #: ISO 8601, UTC.
    indexed_at: str


def freshness(pointer: Pointer, behind_by: int | None) -> Freshness:
    """Say where an answer comes from."""
    return Freshness(
        commit=pointer.commit,
        branch=pointer.indexed_branch,
        tip=pointer.tip,
        behind_by=behind_by,
        indexed_at=pointer.indexed_at,
    )
