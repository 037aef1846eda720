"""A document of a public set as a Markdown file that says no more than the set does."""

import json
from itertools import count

from brain.assessment.beir import Text

#: A title without a word: a document without any would be called by its file name.
_NO_TITLE = "·"
_NAME_WIDTH = 15


def file_name(number: int) -> str:
    """Return a file name without a word in it, so that names neither help nor hurt.

    Hyphens and underscores are the binary digits of the number; every name has the same terms.
    """
    digits = f"{number:0{_NAME_WIDTH}b}".replace("0", "-").replace("1", "_")
    return f"{digits}.md"


def markdown_of(text: Text) -> str:
    """Return a document's file: the title in the front matter, then the text.

    A text that begins with its title, as a line of its own or as a heading, loses it there.
    """
    title = " ".join(text.title.split())
    body = _without_title(text.text, title) if title else text.text
    return f"---\ntitle: {json.dumps(title or _NO_TITLE, ensure_ascii=False)}\n---\n\n{body}\n"


def _without_title(text: str, title: str) -> str:
    first, newline, rest = text.lstrip().partition("\n")
    is_title = " ".join(first.lstrip("# ").split()).casefold() == title.casefold()
    return rest.lstrip() if newline and is_title else text


def files_of(corpus: list[Text]) -> dict[str, Text]:
    """Return every document by the name of its file."""
    return {file_name(number): text for number, text in zip(count(), corpus, strict=False)}
