"""Anchors of headings as other forges and site generators make them."""

import re
import unicodedata

_NO_WORD = re.compile(r"[^\w\- ]+")
_HYPHENS = re.compile(r"-{2,}")
_ONLY_DIGITS = re.compile(r"[0-9]+")
_GITLAB_TIER = re.compile(
    r"\s*\**\((?:premium|ultimate|free|beta|experiment)(?:\s+(?:only|self|saas)){0,2}\)\**"
)
_NO_MKDOCS_WORD = re.compile(r"[^\w\s-]+")
_MKDOCS_GAP = re.compile(r"[-\s]+")
_MKDOCS_COUNT = re.compile(r"(.*)_([0-9]+)", re.DOTALL)
_OBSIDIAN_MARKS = re.compile(r"%%|\[\[|\]\]|[#|^:\\]")
_EXPLICIT_ID = re.compile(r"\s*\{:?\s*#([^\s{}#]+)\s*\}\s*\Z")


def gitlab_slug(text: str) -> str:
    """Slug a heading as GitLab does.

    Lower-case, product tiers in brackets and all that is neither word, hyphen nor space dropped,
    spaces to hyphens, several hyphens in a row to one; digits alone follow ``anchor-``.

    Source: https://docs.gitlab.com/user/markdown/#heading-ids-and-links
    """
    words = _NO_WORD.sub("", _GITLAB_TIER.sub("", text.strip().lower())).replace(" ", "-")
    slug = _HYPHENS.sub("-", words)
    return f"anchor-{slug}" if _ONLY_DIGITS.fullmatch(slug) else slug


def gitea_slug(text: str) -> str:
    """Slug a heading as Gitea and Forgejo do; one that slugs to nothing is ``heading``.

    Trimmed and lower-case; letters, numbers, ``_`` and ``-`` stay, each white space character
    becomes a hyphen. Unlike GitHub's, combining marks go and other numbers stay.

    Source: CleanValue in modules/markup/common/footnote.go of https://github.com/go-gitea/gitea
    """
    kept = (_gitea_character(character) for character in text.strip())
    return "".join(kept) or "heading"


def _gitea_character(character: str) -> str:
    if character.isspace():
        return "-"
    if character in "_-" or unicodedata.category(character)[0] in "LN":
        return character.lower()[:1]
    return ""


def mkdocs_slug(text: str) -> str:
    """Slug a heading as MkDocs does: ASCII only, accents folded, gaps to one hyphen.

    Source: slugify of https://python-markdown.github.io/extensions/toc/
    """
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    words = _NO_MKDOCS_WORD.sub("", folded).strip().lower()
    return _MKDOCS_GAP.sub("-", words)


def obsidian_slug(text: str) -> str:
    """Return what Obsidian writes after ``#`` in a link to a heading: its text.

    Marks that mean something in a link (``# | ^ : %% [[ ]]``) become spaces; case stays.

    Source: https://obsidian.md/help/links#Link+to+a+heading+in+a+note
    """
    return " ".join(_OBSIDIAN_MARKS.sub(" ", text).split())


def next_mkdocs_slug(slug: str) -> str:
    """Return what is tried when a slug is taken: ``a_1``, then ``a_2``.

    Source: unique of https://python-markdown.github.io/extensions/toc/
    """
    counted = _MKDOCS_COUNT.fullmatch(slug)
    return f"{counted[1]}_{int(counted[2]) + 1}" if counted else f"{slug}_1"


def split_explicit_id(text: str) -> tuple[str, str]:
    """Split ``Heading {#id}`` into its text and its id, which is empty when there is none.

    MkDocs (attribute lists, also ``{: #id }``) and Docusaurus use the id as the anchor.

    Source: https://python-markdown.github.io/extensions/attr_list/ and
        https://docusaurus.io/docs/markdown-features/toc#heading-ids
    """
    found = _EXPLICIT_ID.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")
