"""Which entries of a Git tree are indexed."""

import re
from functools import lru_cache
from typing import Literal

import msgspec

from brain.tree.disguise import is_restricted_name

MAX_BYTES = 2 * 1024 * 1024
#: Documents of one index; the caller keeps the first in path order.
MAX_DOCUMENTS = 20_000

LeftOutReason = Literal[
    "restricted",
    "bad-name",
    "plugins",
    "scratch",
    "identifiers",
    "hidden",
    "symlink",
    "submodule",
    "missing",
    "too-large",
    "over-limit",
]

_SYMLINK = 0o120000
_SUBMODULE = 0o160000
_MAX_PATH_BYTES = 1024
_MAX_SEGMENT_BYTES = 255
_MAX_DEPTH = 64

# controls, line separators and bidirectional controls: nothing to put in a log or a database
_UNPRINTABLE = "\x00-\x1f\x7f-\x9f\\\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"
_UNPRINTABLE_CHARACTERS = re.compile(f"[{_UNPRINTABLE}]")
# besides them what only hides
_BAD_CHARACTERS = re.compile(f"[{_UNPRINTABLE}\u200b\u2060-\u2065\ufeff]")
_JOINERS = re.compile("[\u200c\u200d]")
_GIT_NAME = re.compile(r"(?:\.git|git~1)[ .]*(?::.*)?", re.IGNORECASE)


class Verdict(msgspec.Struct, frozen=True):
    """Whether a Markdown entry is indexed, and if not why."""

    #: Empty when the name is nothing to be shown; one that hides characters still is a name.
    path: str
    reason: LeftOutReason | None = None


def judge_entry(path: bytes, mode: int, size: int | None) -> Verdict | None:
    """Decide on one entry of a tree.

    The first reason that applies, in the order of `LeftOutReason`; ``over-limit`` is the
    caller's. Case matters only where said: ``.md`` and ``restricted`` in any case, the latter in
    any Unicode disguise.

    Args:
        path: from the root of the repository, raw.
        mode: as Git stores it; the executable bit does not matter.
        size: bytes of the blob; None when the repository lacks it.

    Returns:
        None for an entry that is not Markdown, which is not counted.

    Source: git-fsck(1), for what HFS+ and NTFS take for ``.git``.
    """
    if path[-3:].lower() != b".md":
        return None
    folder, _, name = path.rpartition(b"/")
    reason = _folder_reason(folder) or _name_reason(path, name)
    text = path.decode("utf-8", errors="replace")
    if reason is None:
        reason = _content_reason(mode, size)
    return Verdict("" if reason == "bad-name" and not _is_showable(path) else text, reason)


def is_restricted_path(path: str) -> bool:
    """Say whether a path leads through a restricted folder, whether or not anything is there."""
    folder = path.rpartition("/")[0]
    return _folder_reason(folder.encode("utf-8", "surrogatepass")) == "restricted"


def _is_showable(path: bytes) -> bool:
    segments = path.split(b"/")
    if len(path) > _MAX_PATH_BYTES or len(segments) > _MAX_DEPTH:
        return False
    return not any(_is_bad_segment(each, _UNPRINTABLE_CHARACTERS) for each in segments)


def _content_reason(mode: int, size: int | None) -> LeftOutReason | None:
    if mode == _SYMLINK:
        return "symlink"
    if mode == _SUBMODULE:
        return "submodule"
    if size is None:
        return "missing"
    return "too-large" if size > MAX_BYTES else None


def _name_reason(path: bytes, name: bytes) -> LeftOutReason | None:
    if len(path) > _MAX_PATH_BYTES or path.startswith(b"/") or _is_bad_segment(name):
        return "bad-name"
    return None


@lru_cache(maxsize=65_536)
def _folder_reason(folder: bytes) -> LeftOutReason | None:
    if not folder:
        return None
    segments = folder.split(b"/")
    if any(is_restricted_name(each.decode("utf-8", errors="replace")) for each in segments):
        return "restricted"
    if len(segments) >= _MAX_DEPTH or any(_is_bad_segment(each) for each in segments):
        return "bad-name"
    if segments[0] == b"plugins":
        return "plugins"
    if segments[0] == b"scratch":
        return "scratch"
    if b"identifiers" in segments:
        return "identifiers"
    return "hidden" if any(each.startswith(b".") for each in segments) else None


def _is_bad_segment(segment: bytes, bad: re.Pattern[str] = _BAD_CHARACTERS) -> bool:
    if segment in (b"", b".", b"..") or len(segment) > _MAX_SEGMENT_BYTES:
        return True
    try:
        text = segment.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return bool(bad.search(text) or _GIT_NAME.fullmatch(_JOINERS.sub("", text)))
