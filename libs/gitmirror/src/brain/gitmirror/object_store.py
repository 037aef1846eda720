"""Object stores: the objects of one bare repository, each verified against its id.

Packs are read by libgit2 and loose objects here: libgit2 1.9.7 never returns from reading a
loose object whose compressed stream is cut off, which a full disk or a hostile source leaves.
"""

import functools
import hashlib
import re
import zlib
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import (
    MirrorCorruptError,
    MirrorMissingError,
    ObjectMissingError,
    settle_libgit2,
)
from brain.gitmirror.pack_index import is_packed

_HEADER = re.compile(rb"(commit|tree|blob|tag) ([0-9]{1,15})\0")
_MAX_HEADER = 32
#: Enough compressed bytes for a header behind the largest Huffman tables.
_HEADER_READ = 1024
_OID = re.compile(r"[0-9a-f]{40}")
_KINDS = {
    b"commit": ObjectType.COMMIT,
    b"tree": ObjectType.TREE,
    b"blob": ObjectType.BLOB,
    b"tag": ObjectType.TAG,
}
_NO_LIMIT = 1 << 62

#: The largest commit or tree that is read; half a million entries.
MAX_STRUCTURE_BYTES = 32 * 1024 * 1024


class ObjectStore:
    """The object files of a bare repository. One store serves one thread."""

    def __init__(self, objects: Path) -> None:
        settle_libgit2()
        if not objects.is_dir():
            raise MirrorMissingError
        self._objects = objects
        self._prefix = str(objects)

    def read(self, oid: str, kind: ObjectType) -> bytes:
        """Return the content of the object *oid*.

        Raises:
            ObjectMissingError: it is not here, or of another kind.
            MirrorCorruptError: it is damaged, or a commit or tree of over 32 MiB.
        """
        limit = _NO_LIMIT if kind == ObjectType.BLOB else MAX_STRUCTURE_BYTES
        if limit != _NO_LIMIT and self._header(oid)[1] > limit:
            raise MirrorCorruptError(f"{oid} is too large")
        loose = self._loose(oid)
        found, content = self._packed(oid) if loose is None else _inflate(oid, loose)
        if found != kind:
            raise ObjectMissingError(oid)
        return content

    def blob_size(self, oid: str) -> int | None:
        """Return the size of the blob *oid* in bytes; None when there is no such blob here.

        Raises:
            MirrorCorruptError: the object is damaged where its size is written.
        """
        try:
            kind, size = self._header(oid)
        except ObjectMissingError:
            return None
        return size if kind == ObjectType.BLOB else None

    def _header(self, oid: str) -> tuple[ObjectType, int]:
        loose = self._loose(oid, _HEADER_READ)
        if loose is not None:
            kind, size, _ = _loose_header(oid, loose, zlib.decompressobj())
            return kind, size
        try:
            found, size = self._packs.read_header(pygit2.Oid(hex=oid))
        except KeyError:
            raise self._absent(oid) from None
        except pygit2.GitError as error:
            raise MirrorCorruptError(f"{oid}: {error}") from None
        return ObjectType(found), size

    def _packed(self, oid: str) -> tuple[ObjectType, bytes]:
        try:
            found, content = self._packs.read(pygit2.Oid(hex=oid))
        except KeyError:
            raise self._absent(oid) from None
        except pygit2.GitError as error:
            raise MirrorCorruptError(f"{oid}: {error}") from None
        return ObjectType(found), content

    def _absent(self, oid: str) -> ObjectMissingError | MirrorCorruptError:
        # libgit2 passes over a truncated pack in silence; its index still lists what it held.
        if is_packed(self._objects / "pack", oid):
            return MirrorCorruptError(f"{oid} is in a pack that cannot be read")
        return ObjectMissingError(oid)

    def _loose(self, oid: str, limit: int = -1) -> bytes | None:
        if not _OID.fullmatch(oid):
            raise ObjectMissingError
        try:
            with open(f"{self._prefix}/{oid[:2]}/{oid[2:]}", "rb", buffering=0) as file:  # noqa: PTH123 - Path costs as much as the read
                return file.read(limit)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise MirrorCorruptError(f"{oid}: {error.strerror}") from None

    @functools.cached_property
    def _packs(self) -> pygit2.Odb:
        packs = pygit2.Odb()
        try:
            packs.add_backend(pygit2.OdbBackendPack(self._prefix), 1)
        except pygit2.GitError as error:
            raise MirrorCorruptError(str(error)) from None
        return packs


def _loose_header(
    oid: str, raw: bytes, stream: "zlib._Decompress"
) -> tuple[ObjectType, int, bytes]:
    try:
        start = stream.decompress(raw, _MAX_HEADER)
    except zlib.error as error:
        raise MirrorCorruptError(f"{oid}: {error}") from None
    match = _HEADER.match(start)
    if match is None:
        raise MirrorCorruptError(f"{oid} has no header")
    return _KINDS[match[1]], int(match[2]), start[match.end() :]


def _inflate(oid: str, raw: bytes) -> tuple[ObjectType, bytes]:
    stream = zlib.decompressobj()
    kind, size, start = _loose_header(oid, raw, stream)
    try:
        # Never more than the header promises, however far the stream would inflate.
        content = start + stream.decompress(stream.unconsumed_tail, size + 1)
        content += stream.flush() if len(content) < size else b""
    except zlib.error as error:
        raise MirrorCorruptError(f"{oid}: {error}") from None
    header = b"%s %d\0" % (kind.name.lower().encode(), size)
    digest = hashlib.sha1(header + content, usedforsecurity=False).hexdigest()
    if digest != oid:
        raise MirrorCorruptError(f"{oid} does not hold what its id says")
    return kind, content
