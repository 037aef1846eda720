"""Files that only we may read."""

import os
from pathlib import Path


def write_private(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace a file in one step; readers see the old text or the new, and only ``mode`` lets in.

    A link in its place is replaced, not followed.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor, not a path
        os.fchmod(descriptor, mode)  # the umask may have taken bits away
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    draft.replace(path)


def read_or_create_secret(path: Path, prefix: str) -> str:
    """Return the secret kept in a file, made once.

    Returns:
        The prefix and 43 URL-safe characters that hold 256 random bits.
    """
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    secret = prefix + _url_safe(os.urandom(32))
    write_private(path, secret + "\n")
    return secret


def _url_safe(octets: bytes) -> str:
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    number = int.from_bytes(octets, "big") << 2  # 256 bits become 43 groups of six
    return "".join(digits[(number >> shift) & 63] for shift in range(252, -1, -6))
