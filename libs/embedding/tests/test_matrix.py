import hashlib

import numpy as np

from brain.embedding.matrix import extend, matrix_of
from brain.embedding.quantised import quantise


def hashes(*texts: str) -> bytes:
    return b"".join(hashlib.sha256(text.encode()).digest() for text in texts)


def codes(*rows: tuple[int, ...]) -> bytes:
    return np.array(rows, np.int8).tobytes()


def test_rows_are_found_by_hash():
    matrix = matrix_of(hashes("a", "b"), codes((1, 0), (0, 1)))

    rows = matrix.rows_of(hashes("b", "x", "a", "b"))

    assert rows[1] == -1
    assert matrix.codes[rows[[0, 2, 3]]].tolist() == [[0, 1], [1, 0], [0, 1]]


def test_the_nearest_come_first_and_equal_ones_in_the_order_given():
    matrix = matrix_of(hashes("a", "b", "c"), codes((127, 0), (0, 127), (127, 127)))
    among = matrix.rows_of(hashes("b", "a", "c", "a"))

    places, cosines = matrix.nearest(np.array([127, 0], np.int8), among, 3)

    assert places.tolist() == [1, 3, 2]
    assert cosines.round(4).tolist() == [1.0, 1.0, 0.7071]


def test_of_two_vectors_of_one_text_the_later_counts():
    matrix = extend(
        matrix_of(hashes("a", "b", "a"), codes((1, 1), (2, 2), (3, 3))),
        matrix_of(hashes("b", "c"), codes((4, 4), (5, 5))),
    )

    rows = matrix.codes[matrix.rows_of(hashes("a", "b", "c"))]

    assert rows.tolist() == [[3, 3], [4, 4], [5, 5]]


def test_an_empty_matrix_has_nothing_near():
    matrix = matrix_of(b"", b"")
    rows = matrix.rows_of(hashes("a"))

    places, cosines = matrix.nearest(np.array([1], np.int8), rows[:0], 5)

    assert rows.tolist() == [-1]
    assert (len(places), len(cosines)) == (0, 0)
    assert len(extend(matrix, matrix_of(hashes("a"), codes((1, 2)))).keys) == 1


def test_among_many_hardly_any_of_the_nearest_are_missed():
    chance = np.random.default_rng(7)
    rows = quantise(chance.normal(size=(10_000, 384)).astype(np.float32))
    query = quantise((rows[5] + chance.normal(scale=60, size=(1, 384))).astype(np.float32))[0]
    matrix = matrix_of(hashes(*map(str, range(10_000))), rows.tobytes())
    every = np.arange(10_000)

    places, _ = matrix.nearest(query, every, 50)
    exact = np.argsort(-matrix._cosines(query, every), kind="stable")[:50]

    assert places[0] == exact[0]
    assert len(set(places.tolist()) & set(exact.tolist())) >= 40
