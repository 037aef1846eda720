from brain.testkit.growth import grows_linearly


def test_a_square_is_told_from_a_line():
    assert grows_linearly(lambda count: sum(range(100 * count)), 2_000)
    assert not grows_linearly(lambda count: sum(range(count * count // 4)), 2_000)
