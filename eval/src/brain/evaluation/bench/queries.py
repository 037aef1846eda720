"""Search texts: words, several words and phrases of a corpus, from the commonest to the absent."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

import msgspec

_WORD = re.compile(r"[^\W_]{3,30}")
_LONGEST_PHRASE = 4


class Query(msgspec.Struct, frozen=True):
    """A search text: lines must hold every word, or the phrase."""

    kind: Literal["words", "phrase"]
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The words as they are searched for."""
        return " ".join(self.words)


def mixed_queries(texts: Sequence[str], count: int) -> list[Query]:
    """Draw queries from sample texts: 3 in 10 one word, 3 in 10 two or three words of one line.

    Another 3 in 10 are phrases of two to four words as they stand in a line, and 1 in 10 a word
    that is nowhere. Single words are drawn evenly over the ranks' logarithm, so common and rare
    ones are as likely. Equal arguments give equal queries.

    Args:
        texts: of documents; without any words only absent ones are drawn.
        count: queries.
    """
    random = Random(5)  # noqa: S311 - equal runs, not secrets
    words = Counter(word.casefold() for text in texts for word in _WORD.findall(text))
    ranked = [word for word, _ in words.most_common()]
    every = (line.split() for text in texts for line in text.splitlines())
    lines = [line for line in every if len(line) >= _LONGEST_PHRASE]
    if not ranked or not lines:
        return [_absent(number) for number in range(count)]
    kinds = (_by_rank, _of_line, _phrase)
    queries = []
    for number in range(count):
        tenth = number % 10 // 3
        drawn = kinds[tenth](ranked, lines, random) if tenth < len(kinds) else None
        queries.append(drawn or _absent(number))
    return queries


def _absent(number: int) -> Query:
    return Query("words", (f"zqx{number}absent",))


def _by_rank(ranked: Sequence[str], _lines: Sequence[list[str]], random: Random) -> Query:
    rank = int(len(ranked) ** random.random()) - 1
    return Query("words", (ranked[max(0, rank)],))


def _of_line(_ranked: Sequence[str], lines: Sequence[list[str]], random: Random) -> Query | None:
    found = list(dict.fromkeys(_WORD.findall(" ".join(random.choice(lines)))))
    count = random.choice((2, 3))
    return Query("words", tuple(random.sample(found, count))) if len(found) >= count else None


def _phrase(_ranked: Sequence[str], lines: Sequence[list[str]], random: Random) -> Query:
    line = random.choice(lines)
    count = random.randint(2, _LONGEST_PHRASE)
    start = random.randrange(len(line) - count + 1)
    return Query("phrase", tuple(line[start : start + count]))
