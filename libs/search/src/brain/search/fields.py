"""Fields of a chunk and what a word in each counts for: one weight a term and chunk.

A word in a title says more about a chunk than one in its text, one in code less. The weighted
counts of all fields are added before they saturate (BM25F without a length of its own for each
field), so one byte a posting is enough. Units are quarters of a word in the text.

Source: Robertson, Zaragoza and Taylor, CIKM 2004; weights measured, docs/retrieval.md.
"""

from brain.search.chunk import Chunk

TEXT_WEIGHT = 4
TITLE_WEIGHT = 32
HEADING_WEIGHT = 4
NAME_WEIGHT = 8
CODE_WEIGHT = 3
#: A weight is one byte; a word that fills a chunk counts no more than about 60 times.
MAX_WEIGHT = 255


def fields_of(chunk: Chunk) -> tuple[tuple[str, int], ...]:
    """Return the texts of a chunk, empty ones too, and what a word in each counts for."""
    return (
        (chunk.headings, HEADING_WEIGHT),
        (chunk.names, NAME_WEIGHT),
        (chunk.title, TITLE_WEIGHT),
        (chunk.text, TEXT_WEIGHT),
        (chunk.code, CODE_WEIGHT),
    )
