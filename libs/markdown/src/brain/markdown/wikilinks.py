"""Wikilinks: ``[[target#heading|text]]``."""

import re

import msgspec

#: The inside of a wikilink: no brackets, one line. ``![[…]]`` is an embed, decided by the caller.
WIKILINK = re.compile(r"\[\[([^\[\]\n]{1,1000})\]\]")


class Wikilink(msgspec.Struct, frozen=True):
    """A wikilink taken apart, names as written."""

    #: What is linked to, trimmed; empty for a link inside the same document.
    target: str
    #: Heading text, slug or id after the last ``#`` path; empty when there is none.
    fragment: str
    #: What is shown.
    text: str


def split_wikilink(body: str) -> Wikilink | None:
    r"""Take the inside of ``[[…]]`` apart; None when it names nothing.

    The first ``|`` starts the text (in a table it is written ``\|``), the first ``#`` before it
    the heading. Of a heading path ``#A#B`` the last one counts.
    """
    link, _, label = body.replace("\\|", "|").partition("|")
    target, _, fragment = (part.strip() for part in link.partition("#"))
    fragment = fragment.rpartition("#")[2].strip()
    if not target and not fragment:
        return None
    return Wikilink(target, fragment, label.strip() or link.strip())
