"""The order of a folder's children."""

_RANKS = {"readme.md": 0, "index.md": 1}


def is_readme(name: str) -> bool:
    """Say whether a file name is README.md or index.md in any case."""
    return name.casefold() in _RANKS


def child_order(name: str, *, is_folder: bool) -> tuple[bool, int, str]:
    """Return the sort key of a child: folders, README.md, index.md, then by name.

    Names compare by code point, so README.md stands before readme.md and the order is total.
    """
    rank = 0 if is_folder else _RANKS.get(name.casefold(), len(_RANKS))
    return not is_folder, rank, name
