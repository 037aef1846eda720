from hypothesis import given
from hypothesis import strategies as st

from brain.search.tokens import estimate_tokens
from brain.search.truncation import MARKER, truncate


def test_a_text_is_cut_behind_a_line():
    assert truncate("one two\nthree four\nfive six seven\n", 22) == f"one two\nthree four{MARKER}"


def test_a_long_line_is_cut_between_characters():
    assert truncate("a b " * 5000, 60).startswith("a b a b")


def test_nothing_fits_next_to_nothing():
    assert truncate("one two", 3) == ""


@given(st.text(max_size=300), st.integers(0, 120))
def test_a_head_never_has_more_tokens_than_it_may(text, tokens):
    head = truncate(text, tokens)

    assert estimate_tokens(head) <= tokens or head == ""
    assert text.startswith(head.removesuffix(MARKER))
