"""Keys of a table's rows, for the rules that name them."""

import re
from collections.abc import Iterator

from brain.markdown.blocks import Definitions
from brain.markdown.table_cells import split_row
from brain.tree.summary.wording import plain

_SHORT_CODE = re.compile(r"(?=.{1,20}$)[A-Z0-9][A-Z0-9._\-]*")
_MAX_CELL = 60


def row_keys(table: str, definitions: Definitions) -> Iterator[str]:
    """Name each row by its first cell, with the second when the first is a short code."""
    for row in table.split("\n")[2:]:
        written = split_row(row)
        key = plain(written[0], definitions) if written else ""
        if not key:
            continue
        if len(written) > 1 and _SHORT_CODE.fullmatch(key):
            key = f"{key} {plain(written[1], definitions)}".strip()
        yield key[:_MAX_CELL].rstrip()
