"""What of a chunk is embedded."""

import hashlib

from brain.search.chunk import Chunk

#: Models are cut at 256 tokens or about; what comes behind so many characters changes nothing.
MOST_CHARS = 2_000
HASH_BYTES = 32


def embedded_text(chunk: Chunk, text: str) -> str:
    """Return the titles above a chunk and its own, each once, then its text.

    Args:
        chunk: of the document.
        text: the whole document, decoded.
    """
    titles = " > ".join(dict.fromkeys(filter(None, (*chunk.headings.split(" > "), chunk.title))))
    body = text[chunk.char_start : min(chunk.char_end, chunk.char_start + MOST_CHARS)]
    return f"{titles}\n\n{body.strip()}"[:MOST_CHARS]


def text_hash(text: str) -> bytes:
    """Return by what an embedded text's vector is found: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
