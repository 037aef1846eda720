"""Pack indexes: whether a pack claims to hold an object."""

import mmap
import struct
from pathlib import Path

_MAGIC = b"\377tOc\0\0\0\2"
_FAN_OUT = len(_MAGIC)
_NAMES = _FAN_OUT + 256 * 4
_OID_BYTES = 20


def is_packed(packs: Path, oid: str) -> bool:
    """Tell whether an index in the directory *packs* lists *oid*, 40 hex digits.

    An index that is malformed lists nothing.

    Source: gitformat-pack(5), version 2 pack-*.idx files.
    """
    return any(_lists(index, bytes.fromhex(oid)) for index in sorted(packs.glob("pack-*.idx")))


def _lists(index: Path, name: bytes) -> bool:
    try:
        with index.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as text:
            return text[:_FAN_OUT] == _MAGIC and _found(text, name)
    except (OSError, ValueError, struct.error):
        return False


def _found(text: mmap.mmap, name: bytes) -> bool:
    low = _count(text, name[0] - 1) if name[0] else 0
    high = _count(text, name[0])
    while low < high:
        middle = (low + high) // 2
        start = _NAMES + middle * _OID_BYTES
        found = text[start : start + _OID_BYTES]
        if found == name:
            return True
        low, high = (middle + 1, high) if found < name else (low, middle)
    return False


def _count(text: mmap.mmap, first_byte: int) -> int:
    count: int = struct.unpack_from(">I", text, _FAN_OUT + first_byte * 4)[0]
    return count
