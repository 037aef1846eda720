"""Removals: the commit that took a path away, and where it probably went."""

import msgspec

from brain.gitmirror.git_command import Finished, run_git
from brain.gitmirror.mirror import Mirror

#: History looked at for one path.
MOST_COMMITS = 10_000
_DEADLINE_S = 10.0
_RENAME_LIMIT = 400


class Removal(msgspec.Struct, frozen=True):
    """A commit after which a path was gone."""

    commit: str
    #: Committer date, ISO 8601, UTC.
    date: str
    subject: str
    #: Path that the same commit renamed it to; None when it did not, or cannot tell.
    renamed_to: bytes | None


def find_removal(mirror: Mirror, tip: str, path: bytes) -> Removal | None:
    """Find the last commit that removed *path*, within the last 10,000 that touched it.

    Returns:
        None when the path was never there, or the history cannot be read.
    """
    literal = f":(literal){path.decode('utf-8', 'surrogateescape')}"
    finished = _git(
        mirror,
        [
            "log",
            "-1",
            "-m",
            "--diff-filter=D",
            "--no-renames",
            "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
            "--format=%H%x00%cd%x00%s",
            tip,
            "--",
            literal,
        ],
    )
    fields = finished.stdout.rstrip(b"\n").split(b"\0") if finished.status == 0 else []
    if len(fields) != 3:  # noqa: PLR2004 - the three of the format
        return None
    commit = fields[0].decode()
    return Removal(
        commit,
        fields[1].decode(),
        fields[2].decode("utf-8", "replace")[:200],
        _renamed_to(mirror, commit, path),
    )


def _renamed_to(mirror: Mirror, commit: str, path: bytes) -> bytes | None:
    finished = _git(
        mirror,
        [
            "diff-tree",
            "-r",
            "-z",
            "-M",
            f"-l{_RENAME_LIMIT}",
            "--name-status",
            "--diff-filter=R",
            f"{commit}^1",
            commit,
        ],
    )
    fields = finished.stdout.split(b"\0") if finished.status == 0 else []
    for number in range(0, len(fields) - 2, 3):
        if fields[number + 1] == path:
            return fields[number + 2]
    return None


def _git(mirror: Mirror, arguments: list[str]) -> Finished:
    return run_git(
        [f"--git-dir={mirror.path}", *arguments],
        deadline_s=_DEADLINE_S,
        environment={"TZ": "UTC"},
    )
