"""Rule ``table``: columns, number of rows and row keys of a first block that is a table."""

from brain.markdown.table_cells import split_row
from brain.tree.summary.subject import Subject
from brain.tree.summary.table_rows import row_keys
from brain.tree.summary.wording import cut, joined, plain


def table(subject: Subject) -> str:
    """Word it as ``Table of Id, Rule; 2 rows: R-01 Prices differ; R-02 Stock is short``."""
    block = subject.blocks[0] if subject.blocks else None
    if block is None or block.kind != "table":
        return ""
    lines = block.content.split("\n")
    columns = [plain(cell, subject.definitions) for cell in split_row(lines[0])]
    count = len(lines) - 2
    rows = joined(row_keys(block.content, subject.definitions), "; ")
    named = ", ".join(column for column in columns if column)
    size = f"{count} row" if count == 1 else f"{count} rows"
    return cut(f"Table of {named}; {size}" + (f": {rows}" if rows else ""))
