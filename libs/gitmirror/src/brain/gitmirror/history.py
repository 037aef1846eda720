"""History: what a mirror's commits say about each other's time and distance."""

import re

from pygit2.enums import ObjectType

from brain.gitmirror.git_command import run_git
from brain.gitmirror.libgit2 import MirrorCorruptError
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.object_store import ObjectStore

#: Distances are counted no further than this.
MOST_COUNTED = 10_000
_DEADLINE_S = 20.0
_COMMITTER = re.compile(rb"\ncommitter [^\n]* (-?[0-9]{1,18}) [+-][0-9]{4}\n")
#: Dates a database can hold; a commit may claim any.
_EARLIEST, _LATEST = 0, 253_402_300_799


def committed_at(mirror: Mirror, commit: str) -> int:
    """Return a commit's committer date in seconds since the epoch, between 1970 and 9999.

    Raises:
        MirrorMissingError: there is no mirror.
        ObjectMissingError: the commit is not here.
        MirrorCorruptError: it is damaged.
    """
    raw = ObjectStore(mirror.path / "objects").read(commit, ObjectType.COMMIT)
    found = _COMMITTER.search(raw.partition(b"\n\n")[0] + b"\n")
    if found is None:
        raise MirrorCorruptError(commit)
    return min(max(int(found[1]), _EARLIEST), _LATEST)


def count_ahead(mirror: Mirror, commit: str, tip: str) -> int | None:
    """Count the commits that *tip* reaches and *commit* does not, 10,000 at most.

    Returns:
        None when one of them, or the history between them, is not here.
    """
    arguments = ["rev-list", "--count", f"--max-count={MOST_COUNTED}", tip, f"^{commit}", "--"]
    finished = run_git([f"--git-dir={mirror.path}", *arguments], deadline_s=_DEADLINE_S)
    text = finished.stdout.strip()
    return int(text) if finished.status == 0 and text.isdigit() else None
