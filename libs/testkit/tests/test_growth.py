from brain.testkit.growth import grows_linearly


def compare_all(count: int) -> int:
    return sum(1 for _ in range(count) for _ in range(count))


def test_a_square_is_told_from_a_line():
    assert grows_linearly(lambda count: sum(range(100 * count)), 2_000)
    assert not grows_linearly(compare_all, 1_200)
