"""Tokens: make, list and revoke; an administrator's business."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from litestar import Request, delete, get, post

from brain.access.principal import PERMISSIONS, Permission
from brain.access.token import hash_token, new_token
from brain.query.errors import BadRequestError
from brain.read_api.authentication import needs, principal_of
from brain.read_api.state import Api
from brain.store.audit import record_action
from brain.store.pool import transaction
from brain.store.tokens import TokenRow, add_token, list_tokens, revoke_token

_MOST_DAYS = 3650
_LONGEST_NAME = 100


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A token to make."""

    name: str
    permissions: tuple[str, ...] = ("project.access", "member.read")
    #: None: every project.
    projects: list[str] | None = None
    person: str | None = None
    expires_in_days: int | None = None


class TokenView(msgspec.Struct, frozen=True, rename="camel"):
    """A token without its secret."""

    id: str
    name: str
    projects: list[str] | None
    permissions: list[str]
    person: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class MadeToken(TokenView, frozen=True, rename="camel", kw_only=True):
    """A fresh token: the only time its secret is shown."""

    token: str


class TokenList(msgspec.Struct, frozen=True):
    """All tokens, newest first."""

    tokens: list[TokenView]


class Revoked(msgspec.Struct, frozen=True):
    """Whether a living token of that id was revoked."""

    id: str
    revoked: bool


@get("/api/tokens", opt=needs("admin"), tags=["tokens"])
async def show_tokens(api: Api) -> TokenList:
    """List all tokens without their secrets."""
    async with transaction(api.pool) as connection:
        rows = await list_tokens(connection)
    return TokenList([TokenView(**msgspec.structs.asdict(row)) for row in rows])


@post("/api/tokens", opt=needs("admin"), tags=["tokens"])
async def create_token(api: Api, request: Request[Any, Any, Any], data: NewToken) -> MadeToken:
    """Make a token; its secret is in this answer and nowhere else."""
    row = _row(data)
    token = new_token()
    async with transaction(api.pool) as connection:
        await add_token(connection, row, hash_token(token))
        await record_action(
            connection,
            principal_of(request).id,
            "token.create",
            None,
            {"id": row.id, "permissions": row.permissions, "projects": row.projects},
        )
    return MadeToken(**msgspec.structs.asdict(row), token=token)


@delete("/api/tokens/{token_id:str}", opt=needs("admin"), status_code=200, tags=["tokens"])
async def delete_token(api: Api, request: Request[Any, Any, Any], token_id: str) -> Revoked:
    """Revoke a token; it stops working at once here and within seconds everywhere."""
    async with transaction(api.pool) as connection:
        revoked = await revoke_token(connection, token_id)
        if revoked:
            await record_action(
                connection, principal_of(request).id, "token.revoke", None, {"id": token_id}
            )
    api.authenticator.forget()
    return Revoked(token_id, revoked)


def _row(data: NewToken) -> TokenRow:
    if not data.name.strip() or len(data.name) > _LONGEST_NAME:
        raise BadRequestError("name", f"must hold 1 to {_LONGEST_NAME} characters.")
    unknown = [each for each in data.permissions if each not in PERMISSIONS]
    if unknown or not data.permissions:
        known = ", ".join(PERMISSIONS)
        raise BadRequestError("permissions", f"must be some of: {known}.")
    days = data.expires_in_days
    if days is not None and not 1 <= days <= _MOST_DAYS:
        raise BadRequestError("expiresInDays", f"must lie between 1 and {_MOST_DAYS}.")
    moment = datetime.now(UTC)
    permissions: list[Permission] = [each for each in PERMISSIONS if each in data.permissions]
    return TokenRow(
        id=secrets.token_hex(6),
        name=data.name.strip(),
        projects=data.projects,
        permissions=list(permissions),
        person=data.person,
        created_at=moment,
        expires_at=moment + timedelta(days=days) if days else None,
        revoked_at=None,
    )
