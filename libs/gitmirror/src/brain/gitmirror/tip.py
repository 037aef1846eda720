"""Tips: where a followed branch stands, or why that is not known."""

from typing import Literal

import msgspec

Reason = Literal[
    "",
    "empty",
    "branch-gone",
    "unreachable",
    "unauthorized",
    "untrusted",
    "redirected",
    "not-a-repository",
    "not-allowed",
    "sha256",
    "unsupported",
    "branch-name",
    "corrupt",
]

#: The branch of a tip that is a detached HEAD.
DETACHED = "HEAD"

#: A sentence for each reason, as a user reads it.
SENTENCES: dict[Reason, str] = {
    "": "",
    "empty": "The repository has no commit yet.",
    "branch-gone": "The branch does not exist in the repository.",
    "unreachable": "The repository cannot be reached.",
    "unauthorized": "The repository refuses the credential, or asks for one.",
    "untrusted": "The certificate or host key of the remote is not trusted.",
    "redirected": "The remote redirects elsewhere: give the address it redirects to.",
    "not-a-repository": "There is no Git repository at this address.",
    "not-allowed": "This path is outside the folders that Brain may read.",
    "sha256": "The repository uses SHA-256 object ids, which are not supported.",
    "unsupported": "The repository uses a storage format that is not supported.",
    "branch-name": "The default branch has a name that Brain does not follow: name another one.",
    "corrupt": "The repository is damaged: objects of its tip cannot be read.",
}


class Tip(msgspec.Struct, frozen=True):
    """Where a branch stands; has either a commit or a reason."""

    #: The branch followed; ``HEAD`` for a detached checkout, empty when it is not known.
    branch: str
    #: 40 lower-case hex digits.
    commit: str | None
    reason: Reason = ""
    #: What the remote or Git said, printable, at most 300 characters; for logs and status.
    detail: str = ""


def no_tip(branch: str | None, reason: Reason, detail: str = "") -> Tip:
    """Return the tip of a *branch* that could not be resolved."""
    return Tip(branch or "", None, reason, detail)
