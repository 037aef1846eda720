import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search import posting_block
from brain.search.posting_block import Postings, decode_block, encode_blocks


def postings(numbers, weights=None):
    weights = [1] * len(numbers) if weights is None else weights
    return Postings(np.array(numbers, np.int32), np.array(weights, np.uint8))


def encode(numbers, weights=None):
    (block,) = encode_blocks(np.array([len(numbers)]), postings(numbers, weights))
    return block


@given(st.dictionaries(st.integers(0, 2**31 - 1), st.integers(1, 255), min_size=1, max_size=300))
def test_a_block_decodes_to_what_was_encoded(entries):
    numbers = sorted(entries)

    decoded = decode_block(encode(numbers, [entries[each] for each in numbers]))

    assert decoded.numbers.tolist() == numbers
    assert decoded.weights.tolist() == [entries[each] for each in numbers]
    assert decoded.numbers.dtype == np.int32


@pytest.mark.parametrize(
    ("numbers", "size_bytes"),
    [
        ([7], 6),
        (list(range(1000)), 2005),
        ([*range(1000), 5000], 2015),
        (list(range(0, 300_000, 300)), 3001),
        (list(range(0, 2_000_000_000, 2_000_000)), 5001),
    ],
)
def test_a_block_is_as_small_as_its_gaps_allow(numbers, size_bytes):
    assert len(encode(numbers)) == size_bytes


@pytest.mark.parametrize(
    ("numbers", "block"),
    [
        ([7], "00 07000000 09"),
        ([1, 2, 600], "02 0100 0100 5602 09 09 09"),
        ([*range(16), 600], "01 01000000 10000000 02000000 00 " + "01 " * 15 + "49 " + "09 " * 17),
        ([1, 70_000], "04 01000000 6f110100 09 09"),
    ],
)
def test_blocks_read_as_described(numbers, block):
    assert encode(numbers, [9] * len(numbers)) == bytes.fromhex(block)


NUMBERS = st.lists(st.integers(0, 1 << 20), min_size=1, max_size=40, unique=True).map(sorted)
DENSE = st.tuples(st.integers(1, 400), st.integers(0, 5_000)).map(
    lambda drawn: [*range(drawn[0]), drawn[0] + drawn[1]]
)


@given(st.lists(NUMBERS | DENSE, max_size=12))
def test_blocks_made_together_are_those_made_alone(terms):
    together = postings([number for numbers in terms for number in numbers])

    blocks = encode_blocks(np.array([len(numbers) for numbers in terms], np.int64), together)

    assert list(blocks) == [encode(numbers) for numbers in terms]


def test_more_postings_than_are_encoded_at_once_make_the_same_blocks(monkeypatch):
    monkeypatch.setattr(posting_block, "_POSTINGS_AT_ONCE", 5)
    terms = [[1], [1, 2, 3], list(range(20)), [4], [5, 6], [7, 8, 900]]

    together = postings([number for numbers in terms for number in numbers])
    blocks = encode_blocks(np.array([len(numbers) for numbers in terms]), together)

    assert list(blocks) == [encode(numbers) for numbers in terms]
