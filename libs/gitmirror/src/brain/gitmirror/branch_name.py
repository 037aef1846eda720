"""Branch names: which ones Brain follows."""

import re

_SEGMENT = r"(?!\.)[\w@+.#=,%!-]{1,100}(?<!\.)(?<!\.lock)"
_BRANCH = re.compile(rf"(?!-)(?!@\Z)(?!HEAD\Z)(?!refs/){_SEGMENT}(?:/{_SEGMENT}){{0,15}}")

#: The longest name Git can keep as one loose file on common file systems.
MAX_BRANCH_BYTES = 244


class BranchNameError(ValueError):
    """The branch name is not one Brain can follow: use letters, digits and . _ - / + # = , @ % !"""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def checked_branch(name: str) -> str:
    """Return *name* unchanged when it is a branch name that is safe to hand to Git.

    Narrower than Git's own rule: letters and digits of any script, no spaces or control
    characters, no segment that starts or ends with a dot or ends with ``.lock``, no leading
    hyphen, no ``..``, nothing that starts with ``refs/``. ``HEAD`` is refused as well: it
    stands for a detached checkout.

    Raises:
        BranchNameError: anything else.

    Source: git-check-ref-format(1), narrowed.
    """
    if not _BRANCH.fullmatch(name) or ".." in name or len(name.encode()) > MAX_BRANCH_BYTES:
        raise BranchNameError
    return name


def is_branch(name: str) -> bool:
    """Tell whether *name* is a branch that Brain can follow."""
    try:
        checked_branch(name)
    except BranchNameError:
        return False
    return True
