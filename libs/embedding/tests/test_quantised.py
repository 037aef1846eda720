import numpy as np

from brain.embedding.quantised import cosines, quantise, sign_bits, squared_lengths


def test_the_largest_number_of_a_row_becomes_127():
    codes = quantise(np.array([[0.5, -0.25, 0.0], [-2.0, 1.0, 1.0]], np.float32))

    assert codes.tolist() == [[127, -64, 0], [-127, 64, 64]]


def test_cosines_are_those_of_whole_numbers():
    codes = np.array([[3, 4], [-3, -4], [4, -3]], np.int8)

    found = cosines(codes, squared_lengths(codes), np.array([6, 8], np.int8))

    assert found.tolist() == [1.0, -1.0, 0.0]


def test_long_vectors_are_added_exactly():
    codes = np.full((2, 4_096), 127, np.int8)
    codes[1, 0] = 126

    found = cosines(codes, squared_lengths(codes), codes[0])

    assert found[0] == 1.0
    assert found[1] == (4_095 * 127**2 + 127 * 126) / np.sqrt(
        float((4_095 * 127**2 + 126**2) * 4_096 * 127**2)
    )


def test_a_bit_says_whether_a_number_is_above_0():
    bits = sign_bits(np.array([[1, -1] * 40, [-1] * 80], np.int8))

    assert np.bitwise_count(bits).sum(axis=1).tolist() == [40, 0]
    assert bits.shape == (2, 2)
