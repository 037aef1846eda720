"""Tokens: an estimate that real tokenizers stay under, by class of character.

Runs count by what they are made of. A word counts one token and another for every five letters,
a long one more; words with letters beyond ASCII most of their letters; long runs of letters and
digits, such as base64 and hashes, nearly one a character; a digit, a mark and each character of a
script without an alphabet count for themselves. Calibrated against five tokenizers, whose counts
stand in the tests beside the samples; see also docs/decisions/0006-token-estimate.md.
"""

import re

_LATIN = "\u00c0-\u024f\u1e00-\u1eff"
_PIECES = (
    r"(?P<blob>[A-Za-z0-9+/=]{20,})"
    rf"|(?P<latin>[A-Za-z]*[{_LATIN}][A-Za-z{_LATIN}]*)"
    r"|(?P<word>[A-Z]?[a-z]+)|(?P<upper>[A-Z]+)|(?P<digits>[0-9]+)|(?P<newlines>\n+)"
    r"|(?P<spaces>[ \t\r]{2,})|(?P<space>[ \t\r])|(?P<ascii>[\x00-\x7f])"
    r"|(?P<symbols>[\u2000-\u2bff\ufe00-\ufe0f\U00010000-\U0010ffff]+)"
    r"|(?P<other>[^\x00-\x7f])"
)
_PIECE = re.compile(_PIECES)
#: The same pieces without names for them, and without the single spaces, which cost nothing.
_SCANNED = re.compile(
    r"[A-Za-z0-9+/=]{20,}"
    rf"|[A-Za-z]*[{_LATIN}][A-Za-z{_LATIN}]*|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|\n+|[ \t\r]{{2,}}"
    r"|[\u2000-\u2bff\ufe00-\ufe0f\U00010000-\U0010ffff]+|[^ \t\r]"
)
#: What is left of them in ASCII without long runs: nearly every text, in a third of the time.
_SCANNED_PLAIN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|\n+|[ \t\r]{2,}|[^ \t\r]")
_PART = re.compile(r"(?P<word>[A-Z]?[a-z]+)|(?P<upper>[A-Z]+)|(?P<digits>.)")
_WORD_LETTERS = 5
_LONG_WORD = 8
_UPPER_LETTERS = 2
#: Tenths of a token for a character beyond ASCII, by its bytes: alphabets, then CJK and the like.
_BEYOND = {2: 13, 3: 18, 4: 40}
#: A run with this share of digits, or of digits and capitals, one in so many, looks random.
_DIGIT_SHARE = 12
_CAPITAL_SHARE = 3


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of how many tokens a model counts for *text*."""
    is_plain = text.isascii() and not _long_runs(text)[0]
    pieces = (_SCANNED_PLAIN if is_plain else _SCANNED).findall(text)
    return -(-sum(map(_COSTS.__getitem__, pieces)) // 10)


def rough_tokens(text: str) -> int:
    """Return about what `estimate_tokens` does, of common ASCII text in a fraction of its time.

    Every mark, digit and line end counts one; so do four letters, and four capitals more, but no
    fewer than there are spaces. Long runs, and texts with anything beyond ASCII, are estimated.
    """
    if not text.isascii():
        return estimate_tokens(text)
    runs, data = _long_runs(text)
    marks = len(data.translate(None, _LETTERS_AND_SPACES))
    letters = len(data.translate(None, _NO_LETTERS))
    capitals = len(data.translate(None, _NO_CAPITALS))
    ends = data.count(b"\n") + data.count(b"\r")
    runs_cost = sum(map(_COSTS.__getitem__, runs)) // 10
    return (
        runs_cost
        + marks
        + ends
        + max((letters + capitals + 3) // 4, data.count(b" ") + data.count(b"\t"))
    )


def _long_runs(text: str) -> tuple[list[str], bytes]:
    """Return the long runs of an ASCII text, and what is left with a space for each.

    Many times as fast as a regular expression, which begins anew at every character.
    """
    data = text.encode("ascii")
    marked = data.translate(_RUNS)
    start = marked.find(_LONG_RUN)
    if start < 0:
        return [], data
    runs: list[str] = []
    left: list[bytes] = []
    end = 0
    while start >= 0:
        left.append(data[end:start])
        end = marked.find(b"\0", start)
        end = len(data) if end < 0 else end
        runs.append(text[start:end])
        start = marked.find(_LONG_RUN, end)
    return runs, b" ".join([*left, data[end:]])


_CAPITALS = bytes(range(ord("A"), ord("Z") + 1))
_LETTERS = _CAPITALS + _CAPITALS.lower()
_LETTERS_AND_SPACES = _LETTERS + b" \t\r\n"
_LONG_RUN = b"a" * 20
#: What runs are made of becomes one letter, and only that.
_RUNS = bytes(ord("a") if each in _LETTERS + b"0123456789+/=" else 0 for each in range(256))
_NO_LETTERS = bytes(set(range(256)) - set(_LETTERS))
_NO_CAPITALS = bytes(set(range(256)) - set(_CAPITALS))


class _Costs(dict[str, int]):
    """Costs of pieces in tenths of a token, remembered: most pieces of a text are common words."""

    def __missing__(self, piece: str) -> int:
        cost = sum(map(_tenths, _PIECE.finditer(piece)))
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        if len(piece) <= _MOST_REMEMBERED_CHARS:
            self[piece] = cost
        return cost


_MOST_REMEMBERED = 1 << 16
_MOST_REMEMBERED_CHARS = 40
_COSTS = _Costs()


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
