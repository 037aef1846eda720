"""Principals: who asks, and what they may do. Everything is denied that is not granted here."""

from typing import Literal, get_args

import msgspec

Permission = Literal[
    "project.access", "member.read", "project.brain.manage", "wiki.manage", "brain.write", "admin"
]
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)


class AccessError(Exception):
    """The request is not allowed."""


class UnknownPrincipalError(AccessError):
    """A valid token is needed: send it as `Authorization: Bearer …`."""

    def __init__(self) -> None:
        super().__init__(str(self.__doc__))


class NoAccessError(AccessError):
    """There is no such project."""

    def __init__(self, project_id: str) -> None:
        super().__init__(f"There is no project {project_id}.")
        self.project_id = project_id


class NotPermittedError(AccessError):
    """The token lacks a permission."""

    def __init__(self, permission: Permission) -> None:
        super().__init__(f"This needs the permission {permission}.")
        self.permission = permission


class Principal(msgspec.Struct, frozen=True):
    """One caller, resolved from a token at the edge; nothing below the edge sees it."""

    #: A token's id, or ``bootstrap``.
    id: str
    permissions: frozenset[Permission]
    #: None: every project.
    projects: frozenset[str] | None = None
    person: str | None = None

    def may(self, permission: Permission) -> bool:
        """Tell whether the caller holds a permission; ``admin`` holds them all."""
        return permission in self.permissions or "admin" in self.permissions

    def sees(self, project_id: str) -> bool:
        """Tell whether a project exists for the caller."""
        return self.may("project.access") and (self.projects is None or project_id in self.projects)


def require_project(principal: Principal, project_id: str, *permissions: Permission) -> None:
    """Allow a call on a project, or say no in the only two ways there are.

    A project the caller has no access to answers exactly as one that does not exist.

    Raises:
        NoAccessError: the project does not exist for this caller.
        NotPermittedError: it does, but the token lacks one of the permissions.
    """
    if not principal.sees(project_id):
        raise NoAccessError(project_id)
    require(principal, *permissions)


def require(principal: Principal, *permissions: Permission) -> None:
    """Allow a call that concerns no single project.

    Raises:
        NotPermittedError: the token lacks one of the permissions.
    """
    for permission in permissions:
        if not principal.may(permission):
            raise NotPermittedError(permission)
