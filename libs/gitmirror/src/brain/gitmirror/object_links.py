"""Object links: brings the object files of a local repository into a mirror.

Files are hard-linked where the file system allows it, else copied. The mirror then owns what
it reads: a collection or a deletion at the source takes nothing away from it.
"""

import contextlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

_FAN_OUT = re.compile(r"[0-9a-f]{2}")
_LOOSE = re.compile(r"[0-9a-f]{38}")
_INDEX = re.compile(r"(pack-[0-9a-f]{40})\.idx")
_MAX_PASSES = 5

Outcome = Literal["came", "left", "vanished"]


class SourceMovedError(Exception):
    """The source kept rewriting its object files while they were read."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def link_objects(sources: list[Path], mirror_objects: Path) -> int:
    """Bring every object file of *sources* that *mirror_objects* lacks; returns how many came.

    A source may repack meanwhile, so the directories are read again until a pass finds nothing
    new: loose objects before packs, because objects move from the former into the latter, and a
    pack's index last, because a pack is seen through its index. Symbolic links, temporary files
    and packs without an index are left out.

    Raises:
        SourceMovedError: after five passes there was still something new.
        OSError: the disk is full, or a file cannot be read.
    """
    total = 0
    for _ in range(_MAX_PASSES):
        outcomes = [
            _bring(source / name, mirror_objects / name)
            for source in sources
            for name in _missing(source, mirror_objects)
        ]
        total += outcomes.count("came")
        if not {"came", "vanished"} & set(outcomes):
            return total
    raise SourceMovedError


def _missing(source: Path, mirror: Path) -> Iterator[str]:
    for fan_out in sorted(filter(_FAN_OUT.fullmatch, _names(source))):
        have = _names(mirror / fan_out)
        for name in _names(source / fan_out) - have:
            if _LOOSE.fullmatch(name):
                yield f"{fan_out}/{name}"
    have = _names(mirror / "pack")
    found = _names(source / "pack")
    for name in sorted(found - have):
        match = _INDEX.fullmatch(name)
        if match and f"{match[1]}.pack" in found:
            yield from (f"pack/{match[1]}{ending}" for ending in (".pack", ".idx"))


def _names(directory: Path) -> set[str]:
    try:
        with os.scandir(directory) as entries:
            return {entry.name for entry in entries}
    except (FileNotFoundError, NotADirectoryError):
        return set()


def _bring(source: Path, target: Path) -> Outcome:
    target.parent.mkdir(exist_ok=True)
    if target.suffix == ".idx" and not target.with_suffix(".pack").exists():
        return "left"
    try:
        if not stat.S_ISREG(os.lstat(source).st_mode):
            return "left"
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return "left"
    except FileNotFoundError:
        return "vanished"
    except OSError:
        # Another file system, another owner (protected_hardlinks) or no links at all.
        return _copy(source, target)
    return "came"


def _copy(source: Path, target: Path) -> Outcome:
    temporary = target.with_name(f"tmp_{secrets.token_hex(8)}")
    try:
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return "vanished"
    try:
        with os.fdopen(descriptor, "rb") as reader, temporary.open("xb") as writer:
            shutil.copyfileobj(reader, writer, 1024 * 1024)
            writer.flush()
            os.fsync(writer.fileno())
        temporary.chmod(0o444)
        temporary.rename(target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
    return "came"
