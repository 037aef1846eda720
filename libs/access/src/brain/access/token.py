"""Tokens: 256 random bits behind a prefix that scanners know."""

import hashlib
import hmac
import secrets

TOKEN_PREFIX = "brain_"  # noqa: S105 - a public prefix, so that scanners recognise tokens
_PLACEHOLDERS = frozenset(
    {"changeme", "change-me", "secret", "token", "password", "example", "test"}
)
_SHORTEST = 16


class WeakTokenError(ValueError):
    """The configured token is empty, a placeholder or shorter than 16 characters."""

    def __init__(self) -> None:
        super().__init__(str(self.__doc__))


def new_token() -> str:
    """Return a fresh token; it is shown once and stored only as its hash."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """Return the SHA-256 under which a token is stored and looked up."""
    return hashlib.sha256(token.encode()).digest()


def is_same_token(presented: str, sha256: bytes) -> bool:
    """Compare a presented token with a hash in constant time."""
    return hmac.compare_digest(hash_token(presented), sha256)


def require_strong(token: str) -> str:
    """Return a configured token unless it is one that anybody would guess.

    Raises:
        WeakTokenError: it is empty, a placeholder or too short.
    """
    if len(token) < _SHORTEST or token.lower() in _PLACEHOLDERS:
        raise WeakTokenError
    return token
