"""Anchors of headings, as GitHub makes them."""

import re
from collections.abc import Callable, Iterable

from brain.markdown.slug_dialects import (
    gitea_slug,
    gitlab_slug,
    mkdocs_slug,
    next_mkdocs_slug,
    obsidian_slug,
    split_explicit_id,
)
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
_SLUG_OF: dict[str, Callable[[str], str]] = {
    "github": github_slug,
    "gitlab": gitlab_slug,
    "gitea": gitea_slug,
    "mkdocs": mkdocs_slug,
    "docusaurus": github_slug,
    "obsidian": obsidian_slug,
}
DIALECTS = frozenset(_SLUG_OF)
#: Dialects in which ``Heading {#id}`` names its anchor.
EXPLICIT_ID_DIALECTS = frozenset({"mkdocs", "docusaurus"})


def unique_slugs(texts: Iterable[str], dialect: str = "github") -> tuple[str, ...]:
    """Slug headings in document order, repeats numbered ``-1``, ``-2`` by GitHub's loop.

    A number that another heading already took is skipped. Only the first heading that slugs to
    nothing gets the empty slug. MkDocs numbers ``_1``, ``_2`` and leaves none empty. Obsidian
    numbers none, its links mean the first; they are numbered here as GitHub's.

    Raises:
        KeyError: the dialect is none of `DIALECTS`.

    Source: npm github-slugger 2.0.0, ``BananaSlug.slug``.
    """
    slug_of = _SLUG_OF[dialect]
    has_ids = dialect in EXPLICIT_ID_DIALECTS
    claim = _claim_as_mkdocs if dialect == "mkdocs" else _claim
    occurrences: dict[str, int] = {}
    slugs: list[str] = []
    for text in texts:
        words, explicit = split_explicit_id(text) if has_ids else (text, "")
        slugs.append(claim(explicit or slug_of(words), occurrences))
    return tuple(slugs)


def _claim(slug: str, occurrences: dict[str, int]) -> str:
    claimed = slug
    while claimed in occurrences:
        occurrences[slug] += 1
        claimed = f"{slug}-{occurrences[slug]}"
    occurrences[claimed] = 0
    return claimed


def _claim_as_mkdocs(slug: str, occurrences: dict[str, int]) -> str:
    claimed = slug
    # the last number tried is kept, or thousands of equal headings would be counted again
    if occurrences.get(slug):
        claimed = f"{slug}_{occurrences[slug]}"
    while not claimed or claimed in occurrences:
        claimed = next_mkdocs_slug(claimed)
    occurrences[claimed] = 0
    if claimed != slug and not _is_counted(slug):
        occurrences[slug] = int(claimed.rpartition("_")[2])
    return claimed


def _is_counted(slug: str) -> bool:
    return slug != "" and next_mkdocs_slug(slug) != f"{slug}_1"
