"""History: what a mirror's commits say about each other's time and distance."""

import pygit2

from brain.gitmirror.libgit2 import MirrorCorruptError, ObjectMissingError, open_bare
from brain.gitmirror.mirror import Mirror

#: Distances are counted no further than this.
MOST_COUNTED = 10_000


def committed_at(mirror: Mirror, commit: str) -> int:
    """Return a commit's committer date in seconds since the epoch.

    Raises:
        MirrorMissingError: there is no mirror.
        ObjectMissingError: the commit is not here.
        MirrorCorruptError: it is damaged.
    """
    found = _commit(open_bare(mirror.path), commit)
    return int(found.commit_time)


def count_ahead(mirror: Mirror, commit: str, tip: str) -> int | None:
    """Count the commits that *tip* reaches and *commit* does not, 10,000 at most.

    Returns:
        None when one of them, or the history between them, is not here.
    """
    repository = open_bare(mirror.path)
    try:
        walker = repository.walk(pygit2.Oid(hex=tip), pygit2.enums.SortMode.NONE)
        walker.hide(pygit2.Oid(hex=commit))
        return sum(1 for _, _ in zip(walker, range(MOST_COUNTED), strict=False))
    except (KeyError, ValueError, pygit2.GitError):
        return None


def _commit(repository: pygit2.Repository, commit: str) -> pygit2.Commit:
    try:
        found = repository[pygit2.Oid(hex=commit)]
    except (KeyError, ValueError):
        raise ObjectMissingError(commit) from None
    except pygit2.GitError as error:
        raise MirrorCorruptError(f"{commit}: {error}") from None
    if not isinstance(found, pygit2.Commit):
        raise ObjectMissingError(commit)
    return found
