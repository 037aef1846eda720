"""Reader: one request, one commit."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from brain.query.errors import (
    AwaitedBuildFailedError,
    NotBuiltError,
    TurnedOffError,
    WaitTimedOutError,
)
from brain.query.folded_texts import FoldedTexts
from brain.query.freshness import Freshness
from brain.query.index_cache import IndexCache
from brain.query.pointers import Pointers
from brain.query.texts import Texts
from brain.query.vector_shelf import VectorShelf
from brain.query.view import CacheMissError, View
from brain.store.errors import ProjectNotFoundError
from brain.store.pointer import Pointer, read_pointer
from brain.store.pool import Pool, snapshot

Answer = TypeVar("Answer")

#: ``waitFor`` gives up after this.
LONGEST_WAIT_S = 30.0


class Reader:
    """What a service needs to answer reads: the pool, the learnt pointers, the cache, the texts."""

    def __init__(
        self,
        pool: Pool,
        pointers: Pointers,
        texts: Texts,
        cache: IndexCache,
        shelf: VectorShelf | None = None,
    ) -> None:
        self._pool = pool
        self._pointers = pointers
        self.texts = texts
        self.folded = FoldedTexts()
        self._cache = cache
        self._shelf = shelf

    async def answer(self, project_id: str, use: Callable[[View], Awaitable[Answer]]) -> Answer:
        """Answer from the cache at the learnt commit, or else from one snapshot.

        The use case runs once or twice and must have no effects.

        Raises:
            ProjectNotFoundError: there is no such project.
            NotBuiltError: no build has succeeded yet.
            TurnedOffError: the index is turned off.
            StoreUnavailableError: the database is away and the cache does not suffice.
        """
        pointer = self._pointers.get(project_id)
        if pointer is not None:
            try:
                return await use(View(readable(pointer), self._cache, None, self._shelf))
            except (CacheMissError, NotBuiltError, TurnedOffError):
                pass
        async with snapshot(self._pool) as connection:
            pointer = await read_pointer(connection, project_id)
            if pointer is None:
                raise ProjectNotFoundError(project_id)
            return await use(View(readable(pointer), self._cache, connection, self._shelf))

    async def pointer(self, project_id: str) -> Pointer:
        """Return the pointer a read would answer from; raises as `answer` does."""

        async def use(view: View) -> Pointer:
            return view.pointer

        return await self.answer(project_id, use)

    async def source_id(self, project_id: str) -> int:
        """Return the source of a project that was answered from; raises as `answer` does.

        The database is asked only about a project that was not heard of before.
        """
        known = self._pointers.last_known(project_id)
        return (known or await self.pointer(project_id)).source_id

    async def project_ids(self) -> list[str]:
        """Return the id of every project, in order.

        Raises:
            StoreUnavailableError: none is known yet and the database is away.
        """
        if not self._pointers.all():
            await self._pointers.refresh()
        return sorted(pointer.project_id for pointer in self._pointers.all())

    async def learn(self) -> None:
        """Learn every pointer now, after an effect of this process's own."""
        await self._pointers.refresh()

    async def freshness(self, pointer: Pointer) -> Freshness:
        """Say where an answer comes from, and how far behind the branch it is."""
        return Freshness(
            commit=pointer.commit,
            branch=pointer.indexed_branch,
            tip=pointer.tip,
            behind_by=await self.texts.behind_by(pointer),
            indexed_at=pointer.indexed_at,
        )

    async def wait_for(
        self, project_id: str, commit: str, timeout_s: float = LONGEST_WAIT_S
    ) -> None:
        """Return once the indexed commit is *commit* or descends from it.

        Args:
            project_id: the project.
            commit: 7 to 64 hex digits.
            timeout_s: at most LONGEST_WAIT_S.

        Raises:
            WaitTimedOutError: it was not indexed in time.
            AwaitedBuildFailedError: its build failed.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + min(timeout_s, LONGEST_WAIT_S)
        while True:
            await self._pointers.refresh()
            pointer = self._pointers.get(project_id)
            if pointer is None:
                raise ProjectNotFoundError(project_id)
            if pointer.commit and await self.texts.has_reached(pointer, commit):
                return
            if pointer.state == "failed" and pointer.met_seq >= pointer.wanted_seq:
                raise AwaitedBuildFailedError(pointer.error or pointer.reason)
            left = deadline - loop.time()
            if left <= 0:
                raise WaitTimedOutError(commit, timeout_s)
            await self._pointers.changed(min(left, 1.0))


def readable(pointer: Pointer) -> Pointer:
    """Return the pointer of an index that may be read.

    Raises:
        TurnedOffError: the index is turned off.
        NotBuiltError: no build has succeeded yet.
    """
    if not pointer.enabled:
        raise TurnedOffError(pointer.project_id)
    if not pointer.commit:
        raise NotBuiltError(pointer.project_id, pointer.state, pointer.reason, pointer.error)
    return pointer
