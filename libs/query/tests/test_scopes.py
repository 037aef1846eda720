import pytest

from brain.query.errors import BadRequestError
from brain.query.scopes import chosen_scopes, left_aside

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


def test_what_the_usual_scopes_leave_aside_is_said():
    counts = {"domain": 3, "conventions": 1, "other": 2, "projects/shop": 1}

    assert left_aside([], counts) == (
        "Searched conventions and domain alone; 3 documents elsewhere: scope * searches all."
    )
    assert left_aside([" "], {"domain": 3, "other": 1}) == (
        "Searched domain alone; 1 document elsewhere: scope * searches all."
    )
    assert left_aside(["domain"], counts) == left_aside(["*"], counts) == ""
    assert left_aside([], {"domain": 3}) == left_aside([], {"other": 3}) == ""
