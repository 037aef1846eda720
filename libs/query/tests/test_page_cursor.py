"""Cursors lead on in the listing they were given for, and nowhere else."""

import pytest

from brain.query.errors import BadRequestError, IndexMovedError
from brain.query.page_cursor import PageCursor
from brain.query.search_state import SearchState

STATE = SearchState("c" * 40, 7)
PAGES = PageCursor(("1", "docs/", "price"), STATE)


def test_a_cursor_leads_back_to_its_offset():
    assert PAGES.offset_of(PAGES.at(40)) == 40
    assert PAGES.offset_of("") == 0


@pytest.mark.parametrize(
    "asked", [("2", "docs/", "price"), ("1", "/", "price"), ("1", "docs/", "x")]
)
def test_a_cursor_of_another_listing_is_refused(asked):
    with pytest.raises(BadRequestError, match="cursor"):
        PAGES.offset_of(PageCursor(asked, STATE).at(40))


@pytest.mark.parametrize("state", [SearchState("d" * 40, 7), SearchState("c" * 40, 8)])
def test_a_cursor_of_an_index_before_says_that_it_moved(state):
    with pytest.raises(IndexMovedError):
        PAGES.offset_of(PageCursor(PAGES.asked, state).at(40))


@pytest.mark.parametrize(
    "cursor", ["40", "x", "-1-00000000-00000000", "٤٠-00000000-00000000", "0" * 10_000, "\ud800"]
)
def test_what_is_no_cursor_is_refused(cursor):
    with pytest.raises(BadRequestError):
        PAGES.offset_of(cursor)


def test_vectors_that_arrive_do_not_move_the_order():
    state = SearchState(STATE.commit, STATE.builder_version, "model", 3)

    assert PageCursor(PAGES.asked, state).offset_of(PAGES.at(8)) == 8
