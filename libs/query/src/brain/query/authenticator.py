"""Authenticator: a bearer token becomes a principal; the same at every edge."""

import asyncio

from brain.access.principal import PERMISSIONS, Principal, UnknownPrincipalError
from brain.access.token import hash_token, is_same_token
from brain.store.pool import Pool, transaction
from brain.store.tokens import find_token

#: A revoked token stops working within this many seconds on every replica.
_REMEMBER_S = 4.0
_MOST_REMEMBERED = 1_000


class Authenticator:
    """Turns bearer tokens into principals, remembering each answer for a few seconds."""

    def __init__(self, pool: Pool, bootstrap_token: str) -> None:
        self._pool = pool
        self._bootstrap = hash_token(bootstrap_token) if bootstrap_token else None
        self._known: dict[bytes, tuple[float, Principal]] = {}

    async def principal_of(self, authorization: str) -> Principal:
        """Return who presents this ``Authorization`` header.

        Raises:
            UnknownPrincipalError: it holds no token that is known, alive and in force.
            StoreUnavailableError: the database is away and the token is not remembered.
        """
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise UnknownPrincipalError
        if self._bootstrap and is_same_token(token, self._bootstrap):
            return Principal("bootstrap", frozenset(PERMISSIONS))
        sha256 = hash_token(token)
        moment = asyncio.get_running_loop().time()
        known = self._known.get(sha256)
        if known is None or known[0] <= moment:
            known = (moment + _REMEMBER_S, await self._look_up(sha256))
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[sha256] = known
        return known[1]

    def forget(self) -> None:
        """Remember nothing any more; called when this process revokes a token."""
        self._known.clear()

    async def _look_up(self, sha256: bytes) -> Principal:
        async with transaction(self._pool) as connection:
            row = await find_token(connection, sha256)
        if row is None:
            self._known.pop(sha256, None)
            raise UnknownPrincipalError
        granted = frozenset(p for p in PERMISSIONS if p in row.permissions)
        projects = frozenset(row.projects) if row.projects is not None else None
        return Principal(row.id, granted, projects, row.person)
