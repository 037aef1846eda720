"""Where a Markdown link points, before and after it is placed in a repository."""

import re
from urllib.parse import unquote

import msgspec

#: More than any path of the index can take, percent-encoded and with a fragment.
_MAX_CHARS = 4_000
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_FILE_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\]")
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|pdf|mp3|mp4|mov|webm|wav|ogg|zip|canvas|base)$", re.IGNORECASE
)


class LinkTarget(msgspec.Struct, frozen=True):
    """A destination inside the repository, decoded, not yet resolved against a document."""

    #: Path as the link gives it; empty for the document itself; may start with ``/``.
    path: str
    #: Decoded, without ``#``.
    fragment: str


def read_target(destination: str) -> LinkTarget | None:
    """Read a link destination; None when it cannot be Markdown or a folder of the repository.

    The fragment starts at the first ``#``, a query before it is dropped, path and fragment are
    percent-decoded exactly once. A scheme, a host, a backslash or a control character makes it
    no target, and so does the suffix of another kind of file.

    Source: https://url.spec.whatwg.org/#url-parsing, for a base without fragment.
    """
    if len(destination) > _MAX_CHARS or _SCHEME.match(destination):
        return None
    if destination.startswith("//"):
        return None
    written, _, fragment = destination.partition("#")
    path = unquote(written.partition("?")[0])
    if _UNSAFE.search(path) or (not path and not fragment):
        return None
    if not path.lower().endswith(".md") and _FILE_SUFFIX.search(path):
        return None
    return LinkTarget(path, unquote(fragment).replace("\x00", ""))


def resolve_path(base: str, path: str) -> str | None:
    """Resolve a link path against the document at *base*; None when it leaves the repository.

    A leading ``/`` is the root of the repository. The answer has no trailing slash and is empty
    for the root.
    """
    if not path:
        return base
    segments = [] if path.startswith("/") else base.split("/")[:-1]
    for segment in path.split("/"):
        if segment == "..":
            if not segments:
                return None
            segments.pop()
        elif segment not in ("", "."):
            segments.append(segment)
    return "/".join(segments)


def name_key(name: str) -> str:
    """Return the key under which a wikilink finds a name: last segment, no ``.md``, case-folded."""
    last = name.rstrip("/").rpartition("/")[2]
    return f"name:{stem(last).casefold()}"


def stem(name: str) -> str:
    """Return a file name without its ``.md``, in any case; other dots belong to the name."""
    return name[:-3] if name.lower().endswith(".md") else name


def is_attachment(name: str) -> bool:
    """Say whether a wikilink target names a file that is surely no Markdown."""
    return _ATTACHMENT.search(name) is not None
