"""Cells of a GFM table row."""

import re

_PIPE = re.compile(r"(?<!\\)\|")


def escaped_cells(row: str) -> list[str]:
    """Split a trimmed row at its unescaped pipes, empty outer cells dropped."""
    cells = _cells(row)
    if cells and not cells[0]:
        cells = cells[1:]
    if cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def split_row(row: str) -> list[str]:
    r"""Split a row into its trimmed cells, the outer pipes dropped, ``\|`` read as ``|``.

    Source: https://github.github.com/gfm/#tables-extension-
    """
    cells = [cell.strip() for cell in _cells(row.strip())]
    if cells and not cells[0]:
        cells = cells[1:]
    if cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def _cells(row: str) -> list[str]:
    # one backslash is enough, whatever stands before it
    if "\\" not in row:
        return row.split("|")
    return [cell.replace("\\|", "|") for cell in _PIPE.split(row)]
