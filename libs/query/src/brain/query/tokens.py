"""Tokens: an estimate that real tokenizers stay under, by class of character.

Runs count by what they are made of: a run of letters of one case is one token and one more for
every four further letters, so prose comes out close and base64, whose case changes all the time,
comes out high; a digit, a mark and each character of a script without an alphabet count for
themselves. Calibration: docs/decisions/0006-token-estimate.md.
"""

import re

_PIECE = re.compile(
    r"(?P<word>[A-Z]?[a-z]+)|(?P<upper>[A-Z]+)|(?P<digits>[0-9]+)|(?P<newlines>\n+)"
    r"|(?P<spaces>[ \t\r]{2,})|(?P<space>[ \t\r])|(?P<ascii>[\x00-\x7f])|(?P<other>[^\x00-\x7f]+)"
)
_WORD_LETTERS = 5
_UPPER_LETTERS = 2


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of how many tokens a model counts for *text*."""
    total = 0
    for match in _PIECE.finditer(text):
        kind = match.lastgroup
        length = match.end() - match.start()
        if kind == "word":
            total += 1 + (length - 1) // _WORD_LETTERS
        elif kind == "upper":
            total += 1 + (length - 1) // _UPPER_LETTERS
        elif kind == "digits":
            total += length
        elif kind in ("newlines", "spaces"):
            total += 1 + length // 8
        elif kind == "ascii":
            total += 1
        elif kind == "other":
            total += _beyond_ascii(match.group())
    return total


def _beyond_ascii(run: str) -> int:
    """Count a token and a half for each two bytes beyond ASCII: alphabets, CJK and emoji alike."""
    return -(-len(run.encode("utf-8", "surrogatepass")) * 3 // 5)
