"""Refusals: what the edge says no with."""

import msgspec


class RequestError(Exception):
    """The request cannot be understood."""


class EdgeRefusal(msgspec.Struct, frozen=True):
    """A refusal with its status."""

    status: int
    code: str
    detail: str
