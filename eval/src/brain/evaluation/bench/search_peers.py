"""Peers of ranked search, over the same chunks: SQLite FTS5 and tantivy, asked for any word."""

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from brain.search.chunk import Chunk

HITS = 10
#: As both take text apart; a word with an underscore would be a phrase to them.
_WORD = re.compile(r"[^\W_]+")
_FIELDS = ("title", "headings", "names", "text", "code")
#: As our own fields count, and FTS5's bm25() takes them.
_WEIGHTS = (8.0, 1.0, 2.0, 1.0, 0.75)


class Fts5:
    """A file of SQLite with English stems and no accents, everything in one transaction."""

    def __init__(self, path: Path, chunks: Sequence[Chunk]) -> None:
        path.unlink(missing_ok=True)
        self._database = sqlite3.connect(path)
        self._database.execute(
            f"create virtual table chunks using fts5({', '.join(_FIELDS)},"
            " tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        rows = ([getattr(chunk, field) for field in _FIELDS] for chunk in chunks)
        with self._database:
            self._database.executemany("insert into chunks values (?, ?, ?, ?, ?)", rows)

    def search(self, text: str) -> list[int]:
        """Return the rows of the best hits."""
        words = " or ".join(f'"{word}"' for word in _WORD.findall(text)).replace(" or ", " OR ")
        if not words:
            return []
        weights = ", ".join(str(weight) for weight in _WEIGHTS)
        cursor = self._database.execute(
            f"select rowid from chunks where chunks match ? order by bm25(chunks, {weights})"  # noqa: S608 - constants
            f" limit {HITS}",
            (words,),
        )
        return [row[0] for row in cursor]

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class Tantivy:
    """An index of tantivy in a folder, with English stems, written by one thread."""

    def __init__(self, folder: Path, chunks: Sequence[Chunk]) -> None:
        # Imported here: a peer that is not installed must not keep the bench from running.
        import tantivy  # noqa: PLC0415

        folder.mkdir(parents=True)
        schema = tantivy.SchemaBuilder()
        for field in _FIELDS:
            schema.add_text_field(field, tokenizer_name="en_stem", index_option="freq")
        self._index: Any = tantivy.Index(schema.build(), path=str(folder))
        writer = self._index.writer(num_threads=1)
        for chunk in chunks:
            fields = {field: getattr(chunk, field) for field in _FIELDS}
            writer.add_document(tantivy.Document(**fields))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, text: str) -> list[int]:
        """Return the numbers of the best hits."""
        # AND, OR and NOT are words here; lenient: what it cannot read of a question it leaves out
        words = " ".join(_WORD.findall(text)).lower()
        query, _ = self._index.parse_query_lenient(
            words, list(_FIELDS), field_boosts=dict(zip(_FIELDS, _WEIGHTS, strict=True))
        )
        hits = self._index.searcher().search(query, HITS).hits
        return [address.doc for _, address in hits]


def tantivy_is_installed() -> bool:
    """Tell whether the peer can be asked."""
    try:
        import tantivy  # noqa: F401, PLC0415 - asked for, not used
    except ImportError:
        return False
    return True
