import pytest

from brain.access.principal import (
    PERMISSIONS,
    NoAccessError,
    NotPermittedError,
    Principal,
    require,
    require_project,
)

MEMBER = Principal("m", frozenset({"project.access", "member.read"}), frozenset({"a"}))


def test_nothing_is_granted_by_default():
    nobody = Principal("n", frozenset())

    assert not any(nobody.may(permission) for permission in PERMISSIONS)
    assert not nobody.sees("a")


def test_an_administrator_may_everything_in_the_projects_it_sees():
    admin = Principal("x", frozenset({"admin"}), frozenset({"a"}))

    assert all(admin.may(permission) for permission in PERMISSIONS)
    assert admin.sees("a")
    assert not admin.sees("b")


def test_a_project_that_is_not_seen_does_not_exist_whatever_is_lacking():
    for permission in ("member.read", "admin"):
        with pytest.raises(NoAccessError, match="no project b"):
            require_project(MEMBER, "b", permission)


def test_on_an_own_project_the_lacking_permission_is_named():
    require_project(MEMBER, "a", "member.read")
    with pytest.raises(NotPermittedError, match="admin"):
        require_project(MEMBER, "a", "member.read", "admin")


def test_permission_alone_opens_no_project():
    reader = Principal("r", frozenset({"member.read"}))

    require(reader, "member.read")
    with pytest.raises(NoAccessError):
        require_project(reader, "a", "member.read")
