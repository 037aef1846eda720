"""Tokens: an estimate that real tokenizers stay under, by class of character.

Runs count by what they are made of. A word counts one token and another for every five letters,
a long one more; words with letters beyond ASCII most of their letters; long runs of letters and
digits, such as base64 and hashes, nearly one a character; a digit, a mark and each character of a
script without an alphabet count for themselves. Calibrated against five tokenizers, whose counts
stand in the tests beside the samples; see also docs/decisions/0006-token-estimate.md.
"""

import re

_LATIN = "\u00c0-\u024f\u1e00-\u1eff"
_PIECE = re.compile(
    r"(?P<blob>[A-Za-z0-9+/=]{20,})"
    rf"|(?P<latin>[A-Za-z]*[{_LATIN}][A-Za-z{_LATIN}]*)"
    r"|(?P<word>[A-Z]?[a-z]+)|(?P<upper>[A-Z]+)|(?P<digits>[0-9]+)|(?P<newlines>\n+)"
    r"|(?P<spaces>[ \t\r]{2,})|(?P<space>[ \t\r])|(?P<ascii>[\x00-\x7f])"
    r"|(?P<symbols>[\u2000-\u2bff\ufe00-\ufe0f\U00010000-\U0010ffff]+)"
    r"|(?P<other>[^\x00-\x7f])"
)
#: The same without its groups: the texts of the pieces alone.
_PIECES = re.compile(re.sub(r"\?P<\w+>", "?:", _PIECE.pattern))
_PART = re.compile(r"(?P<word>[A-Z]?[a-z]+)|(?P<upper>[A-Z]+)|(?P<digits>.)")
_WORD_LETTERS = 5
_LONG_WORD = 8
_UPPER_LETTERS = 2
#: Tenths of a token for a character beyond ASCII, by its bytes: alphabets, then CJK and the like.
_BEYOND = {2: 13, 3: 18, 4: 40}
#: A run with this share of digits, or of digits and capitals, one in so many, looks random.
_DIGIT_SHARE = 12
_CAPITAL_SHARE = 3


class _Costs(dict[str, int]):
    """Costs of short pieces, remembered: most of a text are words that came before."""

    _MOST = 1 << 15
    _MOST_CHARS = 24

    def __missing__(self, piece: str) -> int:
        found = _PIECE.match(piece)
        cost = _tenths(found) if found else 0
        if len(piece) <= self._MOST_CHARS:
            if len(self) >= self._MOST:
                self.clear()
            self[piece] = cost
        return cost


_COSTS = _Costs()


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of how many tokens a model counts for *text*."""
    return -(-sum(map(_COSTS.__getitem__, _PIECES.findall(text))) // 10)


def _tenths(piece: re.Match[str]) -> int:
    """Return the cost of one piece in tenths of a token."""
    length = piece.end() - piece.start()
    match piece.lastgroup:
        case "word":
            return 10 * _word_tokens(length)
        case "space":
            # Tokenizers put it to the word that follows.
            return 0
        case "blob":
            return _blob_tenths(piece.group())
        case "latin":
            return 10 + 7 * length
        case "upper":
            return 10 * (1 + (length - 1) // _UPPER_LETTERS)
        case "newlines" | "spaces":
            return 10 * (1 + length // 8)
        case "symbols":
            return 10 * len(piece.group().encode("utf-8", "surrogatepass"))
        case "other":
            return _BEYOND[len(piece.group().encode("utf-8", "surrogatepass"))]
        case _:
            return 10 * length


def _word_tokens(length: int) -> int:
    """Count a word: long ones are rarely in a vocabulary whole."""
    if length <= _LONG_WORD:
        return 1 + (length - 1) // _WORD_LETTERS
    return 2 + (length - 6) // 3


def _blob_tenths(run: str) -> int:
    """Count a long run: near a token a character when it looks random, by its words otherwise."""
    digits = sum(character.isdigit() for character in run)
    capitals = sum(character.isupper() for character in run)
    if digits * _DIGIT_SHARE >= len(run) or (digits + capitals) * _CAPITAL_SHARE >= len(run):
        return -(-len(run) * 95 // 10)
    return sum(map(_tenths, _PART.finditer(run)))
