"""The scopes of a source, as callers see them."""

import msgspec

from brain.query.freshness import PlainFreshness
from brain.query.reader import Reader
from brain.query.scopes import chosen_scopes
from brain.query.search_index import search_index
from brain.query.view import View
from brain.store.pointer import Pointer


class ScopeCount(msgspec.Struct, frozen=True):
    """A scope and how many documents it has."""

    scope: str
    documents: int
    #: Whether it is searched when none is named.
    default: bool


class ScopesAnswer(PlainFreshness, frozen=True, kw_only=True):
    """The scopes of a source by name."""

    scopes: list[ScopeCount]
    total: int


async def scopes_answer(reader: Reader, project_id: str) -> ScopesAnswer:
    """List the scopes of the indexed commit."""

    async def use(view: View) -> tuple[Pointer, dict[str, int]]:
        return view.pointer, (await search_index(view)).scope_counts

    pointer, counts = await reader.answer(project_id, use)
    usual = chosen_scopes((), counts)
    return ScopesAnswer(
        **msgspec.structs.asdict(await reader.freshness(pointer)),
        scopes=[
            ScopeCount(name, count, usual is None or name in usual)
            for name, count in counts.items()
        ],
        total=len(counts),
    )
