"""Scopes: parts of a repository by its folders, which a caller may limit a search to."""

from collections.abc import Iterable, Mapping, Sequence

from brain.query.errors import BadRequestError

DOMAIN, CONVENTIONS, OTHER = "domain", "conventions", "other"
#: Asked for among scopes: all of them.
EVERYWHERE = "*"
_PROJECTS = "projects"
_MOST = 50


def scope_of(path: str) -> str:
    """Return the scope of a document by its path; what lies in no folder of a scope is `OTHER`."""
    top, _, below = path.partition("/")
    if not below:
        return OTHER
    if top in (DOMAIN, CONVENTIONS):
        return top
    name, _, inside = below.partition("/")
    return f"{_PROJECTS}/{name}" if top == _PROJECTS and inside else OTHER


def chosen_scopes(asked: Sequence[str], available: Iterable[str]) -> frozenset[str] | None:
    """Return the scopes to search; None stands for all.

    When none is asked for: ``domain`` and ``conventions`` if either exists, else all. `EVERYWHERE`
    among them is all.

    Args:
        asked: names, white space around them forgiven.
        available: the scopes of the source.

    Raises:
        BadRequestError: too many scopes, or one that the source does not have.
    """
    present = frozenset(available)
    wanted = frozenset(name.strip().strip("/") for name in asked if name.strip())
    if not wanted:
        usual = present & {DOMAIN, CONVENTIONS}
        return usual or None
    if EVERYWHERE in wanted:
        return None
    if len(wanted) > _MOST:
        raise BadRequestError("scopes", f"must be at most {_MOST}.")
    unknown = sorted(wanted - present)
    if unknown:
        known = ", ".join(sorted(present)) or "none"
        raise BadRequestError("scopes", f"{unknown[0][:100]!r} is none of this source's: {known}.")
    return wanted


def left_aside(asked: Sequence[str], counts: Mapping[str, int]) -> str:
    """Say what nobody asked for and nobody excluded, and is not searched; empty when nothing.

    Args:
        asked: the scopes a caller named.
        counts: how many documents each scope of the source has.
    """
    scopes = chosen_scopes(asked, counts)
    if scopes is None or any(name.strip() for name in asked):
        return ""
    elsewhere = sum(count for scope, count in counts.items() if scope not in scopes)
    if not elsewhere:
        return ""
    documents = "1 document" if elsewhere == 1 else f"{elsewhere} documents"
    searched = " and ".join(sorted(scopes))
    return f"Searched {searched} alone; {documents} elsewhere: scope {EVERYWHERE} searches all."
