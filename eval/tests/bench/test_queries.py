from brain.evaluation.bench.queries import mixed_queries

TEXTS = [
    "# Prices\n\nPrices agree with dates in every order of the week.\n",
    "Orders hold dates and prices, and orders are never lost by us.\n",
]


def test_equal_texts_give_equal_queries():
    assert mixed_queries(TEXTS, 30) == mixed_queries(TEXTS, 30)


def test_a_tenth_is_nowhere_and_every_phrase_stands_in_a_line():
    queries = mixed_queries(TEXTS, 100)

    everything = "\n".join(TEXTS)
    absent = [each for each in queries if each.text.startswith("zqx")]
    phrases = [each for each in queries if each.kind == "phrase"]
    assert (len(queries), len(absent), len(phrases)) == (100, 10, 30)
    assert all(each.text in everything for each in phrases)


def test_words_of_one_query_stand_in_one_line():
    lines = [line for text in TEXTS for line in text.splitlines()]

    for query in mixed_queries(TEXTS, 100):
        if query.kind == "words" and len(query.words) > 1:
            assert any(all(word in line for word in query.words) for line in lines)


def test_texts_without_words_give_absent_words():
    assert [each.text for each in mixed_queries([""], 2)] == ["zqx0absent", "zqx1absent"]
