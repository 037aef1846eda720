from brain.search.near_duplicates import are_near_duplicates, jaccard, telling


def near(one, other):
    return are_near_duplicates(telling(one), telling(other))


def test_texts_that_differ_in_white_space_and_stop_words_are_duplicates():
    assert near("Retry three times.\n", "  retry the three times ")


def test_one_word_in_twenty_makes_no_difference():
    words = [f"word{number}" for number in range(20)]

    assert near(" ".join(words), " ".join([*words[:19], "other"]))
    assert not near(" ".join(words), " ".join([*words[:16], "a1", "b2", "c3", "d4"]))


def test_sentences_of_a_script_without_spaces_are_compared_by_their_characters():
    text = "支払いが失敗した場合はキューに戻されて再試行の間隔は指数関数的に増加します"

    assert near(text, text.replace("増加", "増大"))
    assert not near(text, "再試行の間隔は指数関数的に増加します")


def test_texts_without_words_are_duplicates():
    assert near("---", "***")


def test_jaccard_is_the_share_in_common():
    assert jaccard({"a", "b"}, {"b", "c"}) == 1 / 3
