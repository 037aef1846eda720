"""Bodies: what is refused before it is parsed, whatever the framework would accept."""

import json
import re

from brain.read_api.refusal import EdgeRefusal

_DEEPEST_JSON = 64
#: A string, closed or not, or one bracket; strings are passed over whole, so that theirs do not
#: count.
_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
#: How JSON writes a NUL, unless the backslash is itself written after one.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class _RepeatedKeyError(ValueError):
    """An object gives a name twice."""


def judge_body(content_type: str, content_encoding: str, body: bytes) -> EdgeRefusal | None:
    """Refuse bodies that are no JSON by their own account, compressed, too deep or ambiguous."""
    if not body:
        return None
    if content_encoding.strip().lower() not in ("", "identity"):
        return EdgeRefusal(415, "unsupported-media-type", "Send the body uncompressed.")
    if content_type.split(";", maxsplit=1)[0].strip().lower() != "application/json":
        return EdgeRefusal(415, "unsupported-media-type", "Send JSON as application/json.")
    if _is_deep(body):
        return EdgeRefusal(400, "bad-request", f"The body nests deeper than {_DEEPEST_JSON}.")
    return _judge_json(body)


def _is_deep(body: bytes) -> bool:
    """Tell whether brackets nest beyond the limit outside strings; one scan, no recursion."""
    depth = 0
    for match in _BRACKET.finditer(body):
        bracket = match.group()
        if bracket in (b"[", b"{"):
            depth += 1
        elif bracket in (b"]", b"}"):
            depth -= 1
        if depth > _DEEPEST_JSON:
            return True
    return False


def _judge_json(body: bytes) -> EdgeRefusal | None:
    """Refuse what is no JSON, names a key twice, or holds a NUL or half a surrogate pair."""
    try:
        text = body.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_once)
        # What a string may not hold shows when it is written again.
        written = json.dumps(value, ensure_ascii=False).encode("utf-8")
    except _RepeatedKeyError:
        return EdgeRefusal(400, "bad-request", "The body gives a name twice.")
    except ValueError:
        return EdgeRefusal(400, "bad-request", "The body is not JSON in UTF-8.")
    if _NUL.search(written):
        return EdgeRefusal(400, "bad-request", "The body holds a NUL.")
    return None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedKeyError
    return value
