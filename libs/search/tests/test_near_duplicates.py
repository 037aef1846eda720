from brain.search.analyzer import Analyzer
from brain.search.near_duplicates import are_near_duplicates, jaccard, telling


def near(one, other):
    analyzer = Analyzer()
    return are_near_duplicates(telling(one, analyzer), telling(other, analyzer))


def test_texts_that_differ_in_white_space_and_stop_words_are_duplicates():
    assert near("Retry three times.\n", "  retry the three times ")


def test_one_word_in_twenty_makes_no_difference():
    words = [f"word{number}" for number in range(20)]

    assert near(" ".join(words), " ".join([*words[:19], "other"]))
    assert not near(" ".join(words), " ".join([*words[:16], "a1", "b2", "c3", "d4"]))


def test_texts_without_words_are_duplicates():
    assert near("---", "***")


def test_jaccard_is_the_share_in_common():
    assert jaccard({"a", "b"}, {"b", "c"}) == 1 / 3
