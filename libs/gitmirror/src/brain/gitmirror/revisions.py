"""Revisions: the blobs that paths held in the past, newest first."""

import re
from collections.abc import Sequence

from brain.gitmirror.git_command import run_git
from brain.gitmirror.mirror import Mirror

_DEADLINE_S = 10.0
_RAW = re.compile(rb":[0-7]{6} [0-7]{6} ([0-9a-f]{40}) ([0-9a-f]{40}) [A-Z]")
_NO_BLOB = "0" * 40


def revisions(mirror: Mirror, tip: str, paths: Sequence[str], count: int) -> list[str]:
    """Return the blob ids that any of the paths had, newest first, without repeats.

    Args:
        mirror: of the source.
        tip: where the history begins; 40 hex digits.
        paths: in the repository.
        count: commits that touched them, at most.
    """
    literal = [f":(literal){path}" for path in paths]
    options = ["-m", "--raw", "--no-abbrev", "--no-renames", "--format=", f"-n{count}"]
    finished = run_git(
        [f"--git-dir={mirror.path}", "log", *options, tip, "--", *literal],
        deadline_s=_DEADLINE_S,
    )
    pairs = (match.groups() for match in _RAW.finditer(finished.stdout))
    oids = (oid.decode() for old, new in pairs for oid in (new, old))
    return [oid for oid in dict.fromkeys(oids) if oid != _NO_BLOB]
