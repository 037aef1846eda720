"""Code paths: which documents say that they govern a file of the code."""

from collections.abc import Iterable, Sequence

_ANY_SEGMENTS = "**"
#: A longer pattern governs nothing.
_MOST_CHARS = 300


def clean_path(path: str) -> str:
    """Return a path as patterns are compared with it: slashes, and none of them at either end."""
    cleaned = path.strip().replace("\\", "/")
    while cleaned.startswith(("./", "/")):
        cleaned = cleaned[2:] if cleaned.startswith("./") else cleaned[1:]
    return cleaned.rstrip("/")


def clean_paths(paths: Iterable[str]) -> tuple[str, ...]:
    """Return paths cleaned, each once, in order; empty ones are left out."""
    return tuple(sorted({cleaned for path in paths if (cleaned := clean_path(path))}))


def covers(refs: Sequence[str], paths: Sequence[str]) -> bool:
    """Tell whether any pattern covers any path.

    A pattern without wildcards covers the file of that name and everything beneath it. ``?`` and
    ``*`` stay within one segment; ``**`` as a whole segment stands for any number of them, none
    included. Case counts. Time is at most the product of both lengths.

    Args:
        refs: patterns as front matter writes them.
        paths: as `clean_path` returns them.
    """
    return any(_covers(clean_path(ref), path) for ref in refs for path in paths)


def _covers(ref: str, path: str) -> bool:
    if not ref or len(ref) > _MOST_CHARS:
        return False
    if not {"*", "?"} & set(ref):
        return path == ref or path.startswith(f"{ref}/")
    return _matches(ref.split("/"), path.split("/"))


def _matches(pattern: Sequence[str], segments: Sequence[str]) -> bool:
    """Match by segments: the places that the pattern so far may have reached."""
    reached = {0}
    for part in pattern:
        if part == _ANY_SEGMENTS:
            reached = set(range(min(reached), len(segments) + 1))
        else:
            reached = {
                at + 1 for at in reached if at < len(segments) and _segment(part, segments[at])
            }
        if not reached:
            return False
    return len(segments) in reached


def _segment(pattern: str, text: str) -> bool:
    """Match one segment; a star that took too little takes one character more, the last first."""
    at = place = 0
    star, taken = -1, 0
    while place < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, taken = at, place
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[place]):
            at += 1
            place += 1
        elif star >= 0:
            taken += 1
            at, place = star + 1, taken
        else:
            return False
    return not pattern[at:].strip("*")
