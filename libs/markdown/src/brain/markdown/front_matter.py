"""YAML front matter, read without ever guessing or failing."""

import re
from collections.abc import Iterator

import msgspec
import yaml

from brain.markdown.plain_front_matter import plain_mapping

#: Text, a list, or a mapping in its written order. Scalars are never turned into other types.
FieldValue = str | list["FieldValue"] | dict[str, "FieldValue"]

MAX_BYTES = 64 * 1024
MAX_DEPTH = 8
MAX_KEYS = 256

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_LOOKS_LIKE_A_KEY = re.compile(r"[\"']?[\w.-]+[\"']?[ \t]*:(?:\s|$)")
_EMPTY_PLAIN_SCALARS = frozenset({"", "~", "null", "Null", "NULL"})


class FrontMatter(msgspec.Struct, frozen=True):
    """What the block says; ``length`` 0 means that the document has none."""

    fields: dict[str, FieldValue]
    #: Characters of the text the block takes, its closing line included.
    length: int = 0
    #: One line a problem, each naming its line in the document.
    warnings: tuple[str, ...] = ()


class FrontMatterError(Exception):
    """The front matter block is not usable."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        self.problem = problem
        super().__init__(f"front matter, line {line}: {problem}")


_NO_FRONT_MATTER = FrontMatter({})


def read_front_matter(text: str) -> FrontMatter:
    """Read the block between a first line ``---`` and the next ``---`` or ``...`` line.

    It is front matter only when it closes and is a mapping, or is empty; anything else is text:
    a document may open on a thematic break. A block that begins like ``key:`` and breaks a
    rule (YAML syntax, duplicate key, tag, anchor, alias, 64 KiB, depth 8, 256 keys) still is no
    Markdown, so it is taken out with a warning and gives no field.

    Args:
        text: the document without a byte order mark; its first line is line 1.

    Source: https://yaml.org/spec/1.2.2/#failsafe-schema for the types.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return _NO_FRONT_MATTER
    block = text[opening.end() : closing.start()]
    line_end = text.find("\n", closing.start())
    length = len(text) if line_end < 0 else line_end + 1
    try:
        fields = parse_mapping(block)
    except FrontMatterError as error:
        if not _LOOKS_LIKE_A_KEY.match(block):
            return _NO_FRONT_MATTER
        return FrontMatter({}, length, (str(FrontMatterError(error.line + 1, error.problem)),))
    if fields is None and block.strip():
        return _NO_FRONT_MATTER
    return FrontMatter(fields or {}, length)


def parse_mapping(block: str) -> dict[str, FieldValue] | None:
    """Parse one YAML document of strings, lists and mappings.

    Returns:
        The mapping, keys in order; None when the document is empty or no mapping.

    Raises:
        FrontMatterError: not YAML, or beyond a limit of this module; lines count from 1.
    """
    plain = plain_mapping(block.replace("\r\n", "\n"))
    if plain:
        return {key: value if isinstance(value, str) else [*value] for key, value in plain.items()}
    if len(block.encode()) > MAX_BYTES:
        raise FrontMatterError(1, "longer than 64 KiB")
    builder = _Builder(_events(block))
    try:
        return builder.mapping_document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise FrontMatterError(line, error.problem or "is no YAML") from None
    except yaml.YAMLError:
        # libyaml's reader reports characters YAML does not allow without a line
        raise FrontMatterError(1, "holds characters that YAML does not allow") from None


def _events(block: str) -> Iterator[yaml.Event]:
    # Events and not a loader: no tag is resolved, no alias expanded, and a limit stops the parse
    events: Iterator[yaml.Event] = yaml.parse(block, Loader=yaml.CSafeLoader)
    return events


class _Builder:
    """Builds values from events; keeps the count of keys."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._keys = 0

    def mapping_document(self) -> dict[str, FieldValue] | None:
        value: FieldValue | None = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                value = self._value(next(self._events), 0)
            if documents > 1:
                raise FrontMatterError(_line(event), "holds more than one YAML document")
        return value if isinstance(value, dict) else None

    def _value(self, event: yaml.Event, depth: int) -> FieldValue:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FrontMatterError(_line(event), "uses an anchor or alias")
        if getattr(event, "tag", None):
            raise FrontMatterError(_line(event), "uses a tag")
        if depth > MAX_DEPTH:
            raise FrontMatterError(_line(event), "is nested deeper than 8 levels")
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(depth)
        return self._mapping(depth)

    def _sequence(self, depth: int) -> list[FieldValue]:
        items: list[FieldValue] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event, depth + 1))
        return items

    def _mapping(self, depth: int) -> dict[str, FieldValue]:
        fields: dict[str, FieldValue] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._value(event, depth + 1)
            if not isinstance(key, str):
                raise FrontMatterError(_line(event), "has a key that is no text")
            if key in fields:
                raise FrontMatterError(_line(event), f"has the key {key[:60]!r} twice")
            self._keys += 1
            if self._keys > MAX_KEYS:
                raise FrontMatterError(_line(event), "has more than 256 keys")
            fields[key] = self._value(next(self._events), depth + 1)
        return fields


def _scalar(event: yaml.ScalarEvent) -> str:
    if event.style in (None, "") and event.value in _EMPTY_PLAIN_SCALARS:
        return ""
    # YAML can escape a NUL, which no database text can hold
    return str(event.value).replace("\x00", "\N{REPLACEMENT CHARACTER}")


def _line(event: yaml.Event) -> int:
    return int(event.start_mark.line) + 1 if event.start_mark else 1


def field_texts(value: FieldValue) -> tuple[str, ...]:
    """Flatten a value to its texts in order.

    A list inside a list that holds one text is an unquoted wikilink (``up: [[X]]`` is a nested
    list to YAML) and gives ``[[X]]``; a mapping gives one ``key: value`` text an entry.
    """
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, dict):
        return tuple(f"{key}: {', '.join(field_texts(item))}" for key, item in value.items())
    texts: list[str] = []
    for item in value:
        if isinstance(item, list) and len(item) == 1 and isinstance(item[0], str):
            texts.append(f"[[{item[0]}]]")
        else:
            texts.extend(field_texts(item))
    return tuple(texts)
