"""Front matter fields to `Facts`."""

from datetime import date

from brain.markdown.front_matter import FieldValue, field_texts
from brain.tree.document import Facts
from brain.tree.reference_ids import is_reference_id

_READ = frozenset(
    {"title", "name", "id", "summary", "description", "status", "supersedes", "supersededBy"}
    | {"validUntil", "date", "captured", "tags", "labels", "space", "pageId", "home", "refs"}
    | {"aliases", "entity"}
)
#: Characters of an alias; it becomes a key.
_MAX_ALIAS = 500


def read_facts(fields: dict[str, FieldValue]) -> Facts:
    """Read the known keys and keep every other one as text, in order.

    A wrong value (an ``id`` that is no reference id, a date that is none) reads as absent.
    """
    return Facts(
        id=_id(_text(fields, "id")),
        status=_text(fields, "status").lower(),
        supersedes=_texts(fields, "supersedes"),
        superseded_by=_texts(fields, "supersededBy"),
        valid_until=_iso_date(_text(fields, "validUntil")),
        date=_iso_date(_text(fields, "date")) or _iso_date(_text(fields, "captured")),
        aliases=tuple(each for each in _texts(fields, "aliases") if len(each) <= _MAX_ALIAS),
        labels=_labels(fields),
        space=_text(fields, "space").upper(),
        page_id=_text(fields, "pageId"),
        home=_text(fields, "home"),
        entity=_text(fields, "entity"),
        refs=_texts(fields, "refs"),
        other=tuple(
            (key, "\n".join(field_texts(value)))
            for key, value in fields.items()
            if key not in _READ
        ),
    )


def first_text(fields: dict[str, FieldValue], *keys: str) -> str:
    """Return the text of the first of *keys* that has one, on one line, else an empty text."""
    for key in keys:
        if text := " ".join(_text(fields, key).split()):
            return text
    return ""


def _text(fields: dict[str, FieldValue], key: str) -> str:
    return ", ".join(_texts(fields, key)).strip()


def _texts(fields: dict[str, FieldValue], key: str) -> tuple[str, ...]:
    value = fields.get(key, "")
    return tuple(text.strip() for text in field_texts(value) if text.strip())


def _labels(fields: dict[str, FieldValue]) -> tuple[str, ...]:
    written = [*_texts(fields, "tags"), *_texts(fields, "labels")]
    labels = [part.strip().lstrip("#").lower() for text in written for part in text.split(",")]
    return tuple(dict.fromkeys(label for label in labels if label))


def _id(text: str) -> str:
    return text if is_reference_id(text) else ""


def _iso_date(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
