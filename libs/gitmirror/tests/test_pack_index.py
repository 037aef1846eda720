from brain.gitmirror.pack_index import is_packed


def index_of(*names: int) -> bytes:
    """Build an index of ids that are one byte repeated, without the parts that are not read."""
    counts = [sum(name <= first for name in names) for first in range(256)]
    fan_out = b"".join(count.to_bytes(4, "big") for count in counts)
    return b"\377tOc\0\0\0\2" + fan_out + b"".join(bytes([name]) * 20 for name in sorted(names))


def test_ids_are_found_at_every_place(tmp_path):
    (tmp_path / "pack-1.idx").write_bytes(index_of(0x00, 0x01, 0x7F, 0xFF))

    assert [is_packed(tmp_path, name * 20) for name in ("00", "01", "7f", "ff")] == [True] * 4
    assert [is_packed(tmp_path, name * 20) for name in ("02", "80", "fe")] == [False] * 3


def test_a_malformed_index_lists_nothing(tmp_path):
    (tmp_path / "pack-1.idx").write_bytes(b"")
    (tmp_path / "pack-2.idx").write_bytes(b"\377tOc\0\0\0\2short")
    (tmp_path / "pack-3.idx").write_bytes(b"\377tOc\0\0\0\3" + index_of(0x11)[8:])

    assert not is_packed(tmp_path, "11" * 20)
