"""English: whether a question may be one that an English model understands."""

#: Share of words with letters beyond ASCII from which a text is in another language.
_FOREIGN_SHARE = 0.15


def may_be_english(text: str) -> bool:
    """Tell whether hardly a word has letters beyond ASCII.

    A language written without such letters passes; a name with an accent in an English question
    does as well.
    """
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    foreign = [word for word in words if any(map(_is_foreign, word))]
    return len(foreign) < _FOREIGN_SHARE * len(words) or not foreign


def _is_foreign(letter: str) -> bool:
    return letter.isalpha() and not letter.isascii()
