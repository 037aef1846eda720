import random

import pytest

from brain.query.folded_texts import fold
from brain.query.word_index import WordIndex

TEXTS = {
    "a": b"prices agree with dates\n",
    "b": b"repriced goods, snake_case and x1y2\n",
    "c": "değişiklik önce okunur\n".encode(),
    "d": b"",
}


@pytest.mark.parametrize(
    ("needles", "without"),
    [
        ([b"price"], "cd"),  # inside a longer run
        ([b"prices"], "bcd"),
        ([b"prices agree"], "bcd"),
        ([b"es agree wi"], "bcd"),
        ([b"agree", b"dates"], "bcd"),
        ([b"price", b"goods"], "acd"),
        ([b"price", b"snake"], "cd"),
        ([b"agree", b"goods"], "bcd"),  # so few that the second word is left to the search
        ([b"nake_ca"], "acd"),
        ([fold("ğişik".encode())], {"a", "b", "d"}),
        ([b"absent"], "abcd"),
        ([b"rice "], "abcd"),
        ([b"rices "], "bcd"),
        ([b" repriced"], "acd"),  # whether something stands before it is left to the search
        ([b"es agree"], "bcd"),
        ([b"s dates"], "bcd"),
        ([b" agree "], "bcd"),
        ([b" gree "], "abcd"),
        ([b"it"], ""),  # too short to say anything
        ([b"..."], ""),
    ],
)
def test_texts_that_cannot_hold_every_needle(needles, without):
    assert WordIndex(TEXTS).without(needles) == frozenset(without)


def test_an_index_of_nothing_rules_nothing_out():
    assert WordIndex({}).without([b"word"]) == frozenset()


@pytest.mark.parametrize("seed", range(5))
def test_no_text_that_holds_the_needles_is_ruled_out(seed):
    chance = random.Random(seed)
    texts = {
        str(number): fold("".join(chance.choices("aBc_1 .\nğ漢", k=60)).encode())
        for number in range(300)
    }
    index = WordIndex(texts)

    for _ in range(200):
        source = chance.choice(list(texts.values()))
        start, length = chance.randrange(50), chance.randint(2, 8)
        needles = [source[start : start + length], source[-4:]]
        holding = {blob for blob, text in texts.items() if all(n in text for n in needles)}
        assert not holding & index.without(needles)
