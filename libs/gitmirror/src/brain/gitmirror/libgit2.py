"""libgit2: opens repositories for reading objects, with nothing of the machine's configuration."""

import functools
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, RepositoryOpenFlag

_NO_CONFIG = "/nonexistent"


class MirrorError(Exception):
    """The mirror of the repository cannot be read."""

    def __init__(self, detail: str = "") -> None:
        super().__init__(f"{self.__doc__} {detail}".rstrip())


class MirrorMissingError(MirrorError):
    """The repository has not been mirrored yet."""


class MirrorCorruptError(MirrorError):
    """The mirror of the repository is damaged and has to be made again."""


class ObjectMissingError(MirrorError):
    """The mirror does not hold an object of this commit."""


def open_bare(path: Path) -> pygit2.Repository:
    """Open the bare repository at exactly *path*.

    One handle serves one thread. Hashes are verified at every read, which costs a quarter of the
    reading time and finds a flipped bit that zlib's checksum lets through.

    Raises:
        MirrorMissingError: there is no such directory.
        MirrorCorruptError: it is no repository.
    """
    settle_libgit2()
    if not path.is_dir():
        raise MirrorMissingError
    try:
        return pygit2.Repository(str(path), RepositoryOpenFlag.BARE | RepositoryOpenFlag.NO_SEARCH)
    except pygit2.GitError as error:
        raise MirrorCorruptError(str(error)) from None


@functools.cache
def settle_libgit2() -> None:
    """Give libgit2 its settings, once a process.

    No configuration level is searched for, objects are verified, references reach the disk, and
    the owner of a mirror is not questioned: a volume may belong to another user, and nothing a
    mirror holds is run.
    """
    for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = _NO_CONFIG
    pygit2.settings.owner_validation = False
    pygit2.settings.enable_strict_hash_verification(value=True)
    pygit2.settings.enable_fsync_gitdir(value=True)
