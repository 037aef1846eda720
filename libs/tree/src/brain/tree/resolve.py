"""What a reference points at: a pure function of its key's definitions and where it stands."""

import re
from collections.abc import Iterable, Sequence
from posixpath import dirname

import msgspec

from brain.tree.child_order import child_order, is_readme
from brain.tree.config import AnchorDialect
from brain.tree.document import DocumentRow
from brain.tree.inclusion import is_restricted_path
from brain.tree.link_targets import name_key, resolve_path
from brain.tree.node import Node
from brain.tree.reference import Definition, Reference, ReferenceKind

#: A mention of an id that more nodes define links to none of them.
MAX_MENTIONED = 3

# GitHub marks lines with these, and browsers go to the top of the page for the others
_TOP_FRAGMENT = re.compile(r"top|L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?", re.IGNORECASE)
# What GitHub, GitLab and Gitea put before every id of a rendered document
_RENDERED_PREFIX = "user-content-"
_NOT_IN_HEADING_LINKS = re.compile(r"[\s!\"#$%&()*+,./:;<=>?@\[\\\]^`{|}~]+")


class Target(msgspec.Struct, frozen=True, array_like=True):
    """A node a reference points at, its fragment not looked up yet (`find_anchor`)."""

    #: Path of the document; it may be one that exists and is not indexed.
    path: str
    #: Anchor of the node that a mention names; empty for links.
    anchor: str
    #: All paths a wikilink could mean, the chosen one first; empty unless it is ambiguous.
    candidates: tuple[str, ...] = ()


def resolve_reference(
    reference: Reference,
    referring_path: str,
    referring_anchor: str,
    definitions: Iterable[Definition],
) -> tuple[Target, ...]:
    """Resolve a reference to the documents or nodes it points at.

    A Markdown link names exactly one path, or a folder, which means its README.md or index.md.
    A wikilink with a slash names a path from the root or from its own folder, else, as in
    Obsidian, the end of a path; without one a file stem in any case: the same folder first, then
    the shortest path, then alphabetical, marked ambiguous; then an alias, by the same order; last
    a file that exists and is not indexed. A mention names every other node that defines the id,
    when these are one to three.

    Args:
        reference: as stored.
        referring_path: path of the document that holds it.
        referring_anchor: anchor of the node that holds it; empty for the document.
        definitions: all definitions of ``reference.key``, in any order.

    Returns:
        At most one target for a link or wikilink, at most three for a mention; empty when it
        points at nothing, which makes a link to Markdown broken.
    """
    if reference.kind == "mention":
        return _mentioned(definitions, (referring_path, referring_anchor))
    if reference.key.startswith("path:"):
        return _linked(definitions)
    target, known = reference.target.partition("#")[0], tuple(definitions)
    return _named(target, referring_path, known) or _named_outside(target, referring_path, known)


def _mentioned(definitions: Iterable[Definition], referring: tuple[str, str]) -> tuple[Target, ...]:
    others = sorted({(each.path, each.anchor) for each in definitions} - {referring})
    if len(others) > MAX_MENTIONED:
        return ()
    return tuple(Target(path, anchor) for path, anchor in others)


def _linked(definitions: Iterable[Definition]) -> tuple[Target, ...]:
    paths = {each.path for each in definitions}
    if not paths:
        return ()
    return (Target(min(paths, key=_readme_order), ""),)


def _readme_order(path: str) -> tuple[bool, int, str]:
    return child_order(path.rpartition("/")[2], is_folder=False)


def _named(
    target: str, referring_path: str, definitions: tuple[Definition, ...]
) -> tuple[Target, ...]:
    stems = {each.path for each in definitions if each.kind == "stem"}
    if "/" in target:
        return _at_path(target, referring_path, stems)
    aliased = {each.path for each in definitions if each.kind == "alias"}
    return _nearest(stems or aliased, referring_path)


def _named_outside(
    target: str, referring_path: str, definitions: tuple[Definition, ...]
) -> tuple[Target, ...]:
    """Find a file that is not indexed, so that the link is not called broken; it has no rivals."""
    outside = tuple(
        msgspec.structs.replace(each, kind="stem") for each in definitions if each.kind == "outside"
    )
    found = _named(target, referring_path, outside) if outside else ()
    return tuple(Target(each.path, "") for each in found)


def _nearest(paths: Iterable[str], referring_path: str) -> tuple[Target, ...]:
    found = sorted(paths, key=lambda path: _nearness(path, referring_path))
    if not found:
        return ()
    return (Target(found[0], "", tuple(found) if len(found) > 1 else ()),)


def _nearness(path: str, referring_path: str) -> tuple[bool, int, str]:
    return dirname(path) != dirname(referring_path), len(path), path


def _at_path(target: str, referring_path: str, stems: set[str]) -> tuple[Target, ...]:
    wanted = target if target.lower().endswith(".md") else f"{target}.md"
    for base in ("", referring_path):
        path = resolve_path(base, wanted)
        if path in stems:
            return (Target(path, ""),)
        matching = sorted(stem for stem in stems if path and stem.casefold() == path.casefold())
        if matching:
            return (Target(matching[0], "", tuple(matching) if len(matching) > 1 else ()),)
    return _below_any_folder(wanted, referring_path, stems)


def _below_any_folder(wanted: str, referring_path: str, stems: set[str]) -> tuple[Target, ...]:
    suffix = resolve_path("", wanted)
    if not suffix or wanted.startswith(("/", "./", "../")):
        return ()
    ending = f"/{suffix.casefold()}"
    return _nearest((path for path in stems if path.casefold().endswith(ending)), referring_path)


def keys_naming(row: DocumentRow) -> tuple[Definition, ...]:
    """Return every key under which others can point at a document or a node of it.

    Its path, its folder when it is that folder's README.md or index.md, its stem, aliases and
    ids. Loaded for all documents, or fetched by key, they are what `resolve_reference` takes;
    turned round, they are what a search for backlinks looks for.
    """
    return (*path_keys(row.path), *row.definitions)


def outside_keys(path: str) -> tuple[Definition, ...]:
    """Return the keys of a Markdown file that exists and is not indexed.

    A name in a restricted folder defines none but its path: whether ``[[pay]]`` is broken must
    not tell what the folder holds.
    """
    if is_restricted_path(path):
        return path_keys(path)
    return (*path_keys(path), Definition(name_key(path), "outside", path, ""))


def path_keys(path: str) -> tuple[Definition, ...]:
    """Return the keys that the path of a Markdown file defines, indexed or not."""
    folder, _, name = path.rpartition("/")
    own = Definition(f"path:{path}", "path", path, "")
    return (own, Definition(f"path:{folder}", "path", path, "")) if is_readme(name) else (own,)


def find_anchor(
    nodes: Sequence[Node],
    fragment: str,
    kind: ReferenceKind,
    dialect: AnchorDialect,
    html_anchors: Sequence[tuple[str, int]] = (),
) -> int | None:
    """Return the number of the node a fragment names, or None when it names none.

    A link's fragment is compared as it is, never slugged: with anchors (ids of cards) first,
    then slugs, then the names of places that are no nodes (`brain.tree.named_places`), with or
    without the prefix that a rendered page puts before its ids. A wikilink's may also be the text
    of a heading, in any case and without its punctuation; a block reference (``^id``) means the
    document.

    Args:
        nodes: of the target document.
        fragment: decoded, without ``#``; empty means the document.
        kind: of the reference.
        dialect: of the repository; its slugs are already in *nodes*.
        html_anchors: `DocumentRow.html_anchors` of the target.
    """
    if not fragment or _TOP_FRAGMENT.fullmatch(fragment):
        return _named_by(nodes, fragment) or 0
    number = _anchored(nodes, fragment, html_anchors)
    if number is None and fragment.startswith(_RENDERED_PREFIX):
        number = _anchored(nodes, fragment.removeprefix(_RENDERED_PREFIX), html_anchors)
    if number is not None or (kind != "wikilink" and dialect != "obsidian"):
        return number
    return 0 if fragment.startswith("^") else _titled(nodes, fragment)


def _anchored(
    nodes: Sequence[Node], fragment: str, html_anchors: Sequence[tuple[str, int]]
) -> int | None:
    number = _named_by(nodes, fragment)
    return dict(reversed(html_anchors)).get(fragment) if number is None else number


def _named_by(nodes: Sequence[Node], fragment: str) -> int | None:
    for attribute in ("anchor", "slug"):
        for number, node in enumerate(nodes[1:], start=1):
            if getattr(node, attribute) == fragment:
                return number
    return None


def _titled(nodes: Sequence[Node], fragment: str) -> int | None:
    wanted = _heading_words(fragment)
    for number, node in enumerate(nodes[1:], start=1):
        if wanted and _heading_words(node.title) == wanted:
            return number
    return None


def _heading_words(text: str) -> str:
    return _NOT_IN_HEADING_LINKS.sub(" ", text).strip().casefold()
