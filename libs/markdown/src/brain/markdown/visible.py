"""Text that shows everything it says: for titles and summaries that people and agents trust."""

import re

# Joiners (U+200C, U+200D) stay: emoji and several scripts need them
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """Return *text* on one line without control, bidirectional and invisible characters.

    A title must not say one thing to a person and another to an agent (tag characters), nor
    reorder what stands beside it. Line ends and runs of white space become one space.

    Source: https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(_HIDDEN.sub("", text).split())
