"""Front matter of plain ``key: value`` lines, without a YAML parser."""

import re

#: As in `brain.markdown.front_matter`, which see; here they are counted in characters and lines.
MAX_CHARS = 16 * 1024
MAX_LINES = 200

_QUOTED = r"\"[^\"\\\n]*\"|'[^'\n]*'"
_ITEM = (
    rf"(?:{_QUOTED}|[A-Za-z0-9_](?:[^\n,\[\]{{}}:#\"'&*!|>%@`\\]*[^\n,\[\]{{}}:#\"'&*!|>%@`\\ ])?)"
)
_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_.\-]{0,127}):(?: +(.*))?")
_LIST = re.compile(rf"\[ *(?:{_ITEM}(?: *, *{_ITEM})*)? *\]")
_ITEMS = re.compile(_ITEM)
_WHOLE_QUOTED = re.compile(_QUOTED)
_WHOLE_PLAIN = re.compile(r"[A-Za-z0-9_/](?:(?!: | #).)*(?<!:)")
_LIST_LINE = re.compile(r"( *)- +(.*)")
_EMPTY = frozenset({"null", "Null", "NULL"})


def plain_mapping(block: str) -> dict[str, str | list[str]] | None:
    """Read a mapping of texts and lists of texts, or return None where YAML has to be asked.

    Every line is a key at its start with a plain or quoted text, a list in brackets, nothing, or
    an item of the list below a key with nothing. Keys do not repeat.
    """
    lines = block.split("\n")
    if (
        len(block) > MAX_CHARS
        or len(lines) > MAX_LINES
        or not block.replace("\n", "").isprintable()
    ):
        return None
    if lines[-1] == "":
        lines.pop()
    fields: dict[str, str | list[str]] = {}
    number = 0
    while number < len(lines):
        found = _LINE.fullmatch(lines[number])
        if found is None or found[1] in fields or found[1] in _EMPTY:
            return None
        number += 1
        written = (found[2] or "").rstrip(" ")
        value = _value(written) if written else _items_below(lines, number)
        if value is None:
            return None
        if not written and isinstance(value, list):
            number += len(value)
        fields[found[1]] = value
    return fields


def _value(written: str) -> str | list[str] | None:
    if written[0] == "[":
        if not _LIST.fullmatch(written):
            return None
        return [_unquoted(item) for item in _ITEMS.findall(written, 1, len(written) - 1)]
    return _text(written)


def _text(written: str) -> str | None:
    if _WHOLE_QUOTED.fullmatch(written):
        return written[1:-1]
    return _unquoted(written) if _WHOLE_PLAIN.fullmatch(written) else None


def _unquoted(item: str) -> str:
    if item[0] in "\"'":
        return item[1:-1]
    return "" if item in _EMPTY else item


def _items_below(lines: list[str], number: int) -> str | list[str] | None:
    """Return the items of the list whose lines follow, or an empty text when there is none."""
    items: list[str] = []
    indent = None
    while number < len(lines) and (found := _LIST_LINE.fullmatch(lines[number])):
        text = _text(found[2].rstrip(" "))
        if text is None or (indent is not None and found[1] != indent):
            return None
        indent = found[1]
        items.append(text)
        number += 1
    return items or ""
