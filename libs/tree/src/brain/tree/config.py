"""What ``.brain/config.yaml`` in a repository may set; part of the commit, hence of the index."""

from typing import Literal, get_args

import msgspec

from brain.markdown.front_matter import FieldValue, FrontMatterError, parse_mapping
from brain.markdown.slug import DIALECTS

AnchorDialect = Literal["github", "gitlab", "gitea", "mkdocs", "docusaurus", "obsidian"]


class TreeConfig(msgspec.Struct, frozen=True):
    """The settings of one repository at one commit."""

    dialect: AnchorDialect = "github"
    #: Folder path without trailing slash -> what it holds, in the file's order.
    layout: tuple[tuple[str, str], ...] = ()


_KNOWN = frozenset({"dialect", "layout", "scopes", "storedLinks"})


def parse_config(data: bytes) -> tuple[TreeConfig, tuple[str, ...]]:
    """Read ``.brain/config.yaml``; never raises.

    ``dialect`` names an anchor dialect, ``layout`` maps folders to what they hold. What cannot
    be read keeps its default and gives a warning, one line each.

    Args:
        data: the blob at the commit; the limits of front matter hold.
    """
    try:
        fields = parse_mapping(data.decode("utf-8", errors="replace").removeprefix("\ufeff"))
    except FrontMatterError as error:
        return TreeConfig(), (f".brain/config.yaml, line {error.line}: {error.problem}",)
    if fields is None:
        problem = () if not data.strip() else (".brain/config.yaml: is no mapping",)
        return TreeConfig(), problem
    dialect, dialect_warnings = _dialect(fields.get("dialect", "github"))
    layout, layout_warnings = _layout(fields.get("layout", {}))
    unknown = tuple(
        f".brain/config.yaml: unknown key {key[:60]!r}" for key in fields if key not in _KNOWN
    )
    return TreeConfig(dialect, layout), (*dialect_warnings, *layout_warnings, *unknown)


def _dialect(value: FieldValue) -> tuple[AnchorDialect, tuple[str, ...]]:
    for dialect in get_args(AnchorDialect):
        if value == dialect and dialect in DIALECTS:
            return dialect, ()
    known = ", ".join(sorted(DIALECTS))
    return "github", (f".brain/config.yaml: dialect must be one of {known}; github is used",)


def _layout(value: FieldValue) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    if not isinstance(value, dict):
        return (), (".brain/config.yaml: layout must map folders to what they hold",)
    entries = [(key.strip("/"), text) for key, text in value.items()]
    layout = tuple((key, " ".join(text.split())) for key, text in entries if isinstance(text, str))
    warnings = tuple(
        f".brain/config.yaml: layout of {key[:60]!r} must be text"
        for key, text in entries
        if not isinstance(text, str)
    )
    return layout, warnings
