"""Lines carried over a difference, whoever found it."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.gitmirror.difference import Hunk
from brain.query.line_map import map_lines

LINES = st.lists(st.sampled_from("abc"), max_size=12)


def hunks_of(old: list[str], new: list[str]) -> list[Hunk]:
    """Write a difference as Git does: of an empty side, the line before it."""
    return [
        Hunk(i if i == j else i + 1, j - i, k if k == m else k + 1, m - k)
        for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


@given(LINES, LINES, st.data())
def test_lines_that_no_hunk_touches_are_found_as_they_were(old, new, data):
    if not old:
        return
    first = data.draw(st.integers(1, len(old)))
    last = data.draw(st.integers(first, len(old)))

    touched, start, end = map_lines(hunks_of(old, new), (first, last))

    if start is None or end is None:
        return
    assert 1 <= start <= end <= len(new)
    if not touched:
        assert new[start - 1 : end] == old[first - 1 : last]


@pytest.mark.parametrize(
    ("hunk", "lines", "place"),
    [
        (Hunk(1, 0, 2, 3), (2, 3), (False, 5, 6)),
        (Hunk(2, 0, 3, 1), (2, 3), (True, 2, 4)),
        (Hunk(3, 0, 4, 1), (2, 3), (False, 2, 3)),
        (Hunk(2, 2, 1, 0), (2, 3), (True, None, None)),
        (Hunk(3, 1, 2, 0), (2, 3), (True, 2, 2)),
        (Hunk(1, 2, 1, 4), (2, 3), (True, 1, 5)),
    ],
)
def test_a_range_ends_where_what_replaced_its_ends_does(hunk, lines, place):
    assert map_lines([hunk], lines) == place
