import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search.posting_block import Postings, decode_block, encode_block, encode_few


def postings(numbers, weights=None):
    weights = [1] * len(numbers) if weights is None else weights
    return Postings(np.array(numbers, np.int32), np.array(weights, np.uint8))


@given(st.dictionaries(st.integers(0, 2**31 - 1), st.integers(1, 255), min_size=1, max_size=300))
def test_a_block_decodes_to_what_was_encoded(entries):
    numbers = sorted(entries)

    decoded = decode_block(encode_block(postings(numbers, [entries[each] for each in numbers])))

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
    assert len(encode_block(postings(numbers))) == size_bytes


@given(st.lists(st.integers(0, 1 << 20), min_size=2, max_size=12, unique=True), st.data())
def test_few_postings_are_the_same_bytes_either_way(numbers, data):
    numbers.sort()
    size = len(numbers)
    weights = data.draw(st.binary(min_size=size, max_size=size))
    arrays = Postings(np.array(numbers, np.int32), np.frombuffer(weights, np.uint8))

    assert encode_few(numbers, weights) == encode_block(arrays)
