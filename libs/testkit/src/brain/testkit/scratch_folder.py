"""Folders that servers started as another account can enter."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for the length of a block.

    Unlike pytest's own, it can be entered by the account that Postgres runs as under root, so that
    clusters live in it instead of under ``/var/lib``.
    """
    folder = Path(tempfile.mkdtemp(prefix="brain-test-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
