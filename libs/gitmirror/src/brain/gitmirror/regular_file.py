"""Regular files: read without following a link or waiting for a pipe or device."""

import os
import stat
from pathlib import Path


def read_regular(path: Path, limit: int) -> bytes | None:
    """Return the first *limit* bytes of the regular file at *path*; None if it is anything else.

    Raises:
        OSError: there is none, it is a symbolic link, or it cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(limit)
    finally:
        os.close(descriptor)
