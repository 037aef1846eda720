import pytest

from brain.query.errors import BadRequestError
from brain.query.scopes import chosen_scopes

AVAILABLE = ["conventions", "domain", "other", "projects/shop"]


def test_without_a_choice_what_is_shared_is_searched():
    assert chosen_scopes([], AVAILABLE) == {"conventions", "domain"}
    assert chosen_scopes([" "], ["domain", "other"]) == {"domain"}
    assert chosen_scopes([], ["other", "projects/shop"]) is None


def test_a_star_is_everywhere():
    assert chosen_scopes(["*"], AVAILABLE) is None
    assert chosen_scopes(["domain", " * "], AVAILABLE) is None


def test_named_scopes_are_searched_and_forgiven_white_space():
    assert chosen_scopes([" other", "projects/shop/"], AVAILABLE) == {"other", "projects/shop"}


def test_a_scope_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(BadRequestError, match="'team' is none of this source's: conventions, dom"):
        chosen_scopes(["team"], AVAILABLE)
