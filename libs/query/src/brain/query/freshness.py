"""Freshness: what every answer says about the commit it comes from."""

import msgspec


class Freshness(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The commit an answer comes from, and how far behind the branch it is."""

    commit: str
    branch: str
    tip: str
    #: Commits on the branch that are not indexed; None when the history cannot tell.
    behind_by: int | None
    #: ISO 8601, UTC.
    indexed_at: str


class PlainFreshness(msgspec.Struct, frozen=True, kw_only=True):
    """`Freshness` in the spelling of those tools and routes that have none of their own."""

    commit: str
    branch: str
    tip: str
    behind_by: int | None
    indexed_at: str
