"""Cells of a GFM table row."""

from markdown_it.rules_block.table import escapedSplit


def escaped_cells(row: str) -> list[str]:
    """Split a trimmed row at its unescaped pipes, empty outer cells dropped."""
    cells: list[str] = escapedSplit(row)
    if cells and not cells[0]:
        cells = cells[1:]
    if cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def split_row(row: str) -> list[str]:
    r"""Split a row into its trimmed cells, the outer pipes dropped, ``\|`` read as ``|``.

    Source: https://github.github.com/gfm/#tables-extension-
    """
    cells = [cell.strip() for cell in escapedSplit(row.strip())]
    if cells and not cells[0]:
        cells = cells[1:]
    if cells and not cells[-1]:
        cells = cells[:-1]
    return cells
