"""Anchors of headings, as GitHub makes them."""

import re
from collections.abc import Callable, Iterable

from brain.markdown.slug_ranges import REMOVED


def _removed_class(ranges: str) -> str:
    bounds = [item.split("-") for item in ranges.split()]
    return "".join(f"\\U{int(b[0], 16):08x}-\\U{int(b[-1], 16):08x}" for b in bounds)


_REMOVED = re.compile(f"[{_removed_class(REMOVED)}]+")
_REMOVED_ASCII = re.compile(r"[^0-9a-z_ \-]+")


def github_slug(text: str) -> str:
    """Slug rendered heading text the way GitHub does, not yet unique.

    Lower-case, drop everything but letters, marks, digits, connector punctuation, hyphens and
    spaces, then turn each ASCII space into one hyphen. Runs are kept: ``Foo & Bar`` gives
    ``foo--bar``. Text of only punctuation or emoji gives an empty slug.

    Args:
        text: the heading as rendered, without HTML tags; emoji short codes as written.

    Source: npm github-slugger 2.0.0, compared over every code point.
    """
    lowered = text.lower()
    removed = _REMOVED_ASCII if lowered.isascii() else _REMOVED
    return removed.sub("", lowered).replace(" ", "-")


#: Anchor dialect to the slug it makes of a heading's text.
_SLUG_OF: dict[str, Callable[[str], str]] = {"github": github_slug}
DIALECTS = frozenset(_SLUG_OF)


def unique_slugs(texts: Iterable[str], dialect: str = "github") -> tuple[str, ...]:
    """Slug headings in document order, repeats numbered ``-1``, ``-2`` by GitHub's loop.

    A number that another heading already took is skipped. Only the first heading that slugs to
    nothing gets the empty slug.

    Raises:
        KeyError: the dialect is none of `DIALECTS`.

    Source: npm github-slugger 2.0.0, ``BananaSlug.slug``.
    """
    slug_of = _SLUG_OF[dialect]
    occurrences: dict[str, int] = {}
    return tuple(_claim(slug_of(text), occurrences) for text in texts)


def _claim(slug: str, occurrences: dict[str, int]) -> str:
    claimed = slug
    while claimed in occurrences:
        occurrences[slug] += 1
        claimed = f"{slug}-{occurrences[slug]}"
    occurrences[claimed] = 0
    return claimed
