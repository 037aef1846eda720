"""Scripts that put no space between words: Chinese, Japanese, Korean, Thai and neighbours."""

import re

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN += "\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_SOUTH_EAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_RUN = re.compile(f"[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_HANGUL}]+|[{_SOUTH_EAST}]+")
_FIRST = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_SOUTH_EAST}]")
_IDEOGRAPH = re.compile(f"[{_HAN}]")


def part_scripts(text: str) -> str:
    """Put a space around every run of one unspaced script, so a word never spans two scripts."""
    return _RUN.sub(r" \g<0> ", text)


def is_unspaced(word: str) -> bool:
    """Say whether *word* begins with a character of an unspaced script."""
    return _FIRST.match(word) is not None


def bigrams(run: str) -> list[str]:
    """Return every two neighbouring characters of a run; a run of one gives itself."""
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def ideographs(run: str) -> list[str]:
    """Return the characters of a run that are words by themselves, in Han script nearly all."""
    return list(run) if _IDEOGRAPH.match(run) else []
