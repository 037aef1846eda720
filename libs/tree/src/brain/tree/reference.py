"""References and definitions: links as keys, resolved when they are read.

A reference stores the key it points at, never the node; a definition says which node a key names.
Resolution (`brain.tree.resolve`) is a pure function of a key's definitions and the referring path,
so a change of one document never rewrites the rows of another.

Keys, by prefix:

- ``path:a/b.md``  a file or folder of the repository as a Markdown link names it (no trailing
  slash, empty after the colon for the root);
- ``name:stem``    what a wikilink names: the last path segment without ``.md``, case-folded;
- ``id:R-01``      a reference id, as written.
"""

from typing import Literal

import msgspec

ReferenceKind = Literal["link", "wikilink", "mention"]
#: ``outside`` is the stem of a Markdown file that exists and is not indexed.
DefinitionKind = Literal["path", "stem", "outside", "alias", "id"]


class Reference(msgspec.Struct, frozen=True, array_like=True):
    """One link or mention in a document, in the order it was found."""

    kind: ReferenceKind
    #: Number of the deepest node of the document that holds it.
    node: int
    #: Git line it starts on.
    line: int
    #: The key it points at, see the module.
    key: str
    #: Decoded fragment without ``#``; empty when there is none.
    fragment: str
    #: The target as written, percent-encoding and all; what a broken link shows.
    target: str


class Definition(msgspec.Struct, frozen=True, array_like=True):
    """One node that a key names."""

    key: str
    kind: DefinitionKind
    #: Path of the defining document, or of a Markdown file that exists and is not indexed.
    path: str
    #: Anchor of the defining node; empty for the document.
    anchor: str
