import hashlib
import tracemalloc
import zlib

import pygit2
import pytest
from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import MirrorCorruptError, ObjectMissingError
from brain.gitmirror.object_store import ObjectStore


def write_loose(source, raw: bytes, content: bytes) -> str:
    oid = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    path = source.object_file(oid)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw)
    return oid


def only_pack(source):
    source.git("repack", "-adq")
    source.git("prune-packed")
    pack = next(source.git_dir.glob("objects/pack/*.pack"))
    pack.chmod(0o644)
    return pack


def test_packed_and_loose_objects_are_read_alike(source):
    source.commit({b"a.md": b"packed"})
    only_pack(source)
    loose = source.blob(b"loose")

    assert source.store.read(str(pygit2.hash(b"packed")), ObjectType.BLOB) == b"packed"
    assert source.store.read(loose, ObjectType.BLOB) == b"loose"
    assert source.store.blob_size(str(pygit2.hash(b"packed"))) == 6
    assert source.store.blob_size(loose) == 5


def test_a_truncated_pack_is_corrupt_and_not_merely_missing(source):
    source.commit({b"a.md": b"x"})
    pack = only_pack(source)
    pack.write_bytes(pack.read_bytes()[:40])

    with pytest.raises(MirrorCorruptError, match="in a pack that cannot be read"):
        source.store.read(str(pygit2.hash(b"x")), ObjectType.BLOB)
    with pytest.raises(MirrorCorruptError):
        source.store.blob_size(str(pygit2.hash(b"x")))


def test_what_no_pack_lists_is_missing(source):
    source.commit({b"a.md": b"x"})
    only_pack(source)

    for oid in ("0" * 40, "f" * 40, "1" * 40):
        with pytest.raises(ObjectMissingError):
            source.store.read(oid, ObjectType.BLOB)


def test_a_flipped_bit_in_a_pack_is_corrupt(source):
    source.commit({b"a.md": bytes(range(256)) * 20})
    pack = only_pack(source)
    raw = bytearray(pack.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    pack.write_bytes(bytes(raw))

    damaged = 0
    for oid in map(str, pygit2.Odb(str(source.git_dir / "objects"))):
        for kind in (ObjectType.BLOB, ObjectType.TREE, ObjectType.COMMIT):
            try:
                source.store.read(oid, kind)
            except MirrorCorruptError:
                damaged += 1
            except ObjectMissingError:
                pass
    assert damaged > 0


def test_a_stream_that_inflates_beyond_its_size_is_cut_there(source):
    oid = write_loose(source, zlib.compress(b"blob 5\0" + b"x" * 50_000_000), b"any")

    tracemalloc.start()
    with pytest.raises(MirrorCorruptError):
        source.store.read(oid, ObjectType.BLOB)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 1_000_000


def test_a_packed_object_whose_content_is_another_is_corrupt(source):
    source.commit({b"a.md": b"one", b"b.md": b"two"})
    only_pack(source)
    index = next(source.git_dir.glob("objects/pack/*.idx"))
    raw = bytearray(index.read_bytes())
    count = int.from_bytes(raw[1028:1032], "big")
    offsets = 1032 + count * (20 + 4)
    places = [raw[offsets + 4 * n : offsets + 4 * n + 4] for n in range(count)]
    raw[offsets : offsets + 4 * count] = b"".join([*places[1:], places[0]])
    index.chmod(0o644)
    index.write_bytes(bytes(raw))

    with pytest.raises(MirrorCorruptError):
        source.store.read(str(pygit2.hash(b"one")), ObjectType.BLOB)


def test_a_stream_that_ends_early_is_corrupt(source):
    oid = write_loose(source, zlib.compress(b"blob 500\0" + b"x" * 5), b"any")

    with pytest.raises(MirrorCorruptError):
        source.store.read(oid, ObjectType.BLOB)


@pytest.mark.parametrize("raw", [b"", b"junk", zlib.compress(b""), zlib.compress(b"blob x\0")])
def test_a_file_that_is_no_object_is_corrupt(source, raw):
    oid = write_loose(source, raw, b"any")

    with pytest.raises(MirrorCorruptError):
        source.store.read(oid, ObjectType.BLOB)
    with pytest.raises(MirrorCorruptError):
        source.store.blob_size(oid)


def test_a_tree_of_over_32_mib_is_not_read(source, monkeypatch):
    monkeypatch.setattr("brain.gitmirror.object_store.MAX_STRUCTURE_BYTES", 1000)
    tree = source.tree([(0o100644, b"%d.md" % n, "1" * 40) for n in range(100)])

    with pytest.raises(MirrorCorruptError, match="too large"):
        source.store.read(tree, ObjectType.TREE)


@pytest.mark.parametrize("oid", ["", "HEAD", "../../etc/passwd", "A" * 40, "1" * 39])
def test_what_is_no_id_is_missing(source, oid):
    with pytest.raises(ObjectMissingError):
        ObjectStore(source.git_dir / "objects").read(oid, ObjectType.BLOB)


def test_packs_that_come_later_are_seen(source, make_source):
    store = source.store
    with pytest.raises(ObjectMissingError):
        store.read("1" * 40, ObjectType.BLOB)
    source.commit({b"a.md": b"later"})
    only_pack(source)

    assert store.read(str(pygit2.hash(b"later")), ObjectType.BLOB) == b"later"
