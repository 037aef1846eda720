"""Remote access: credentials, trust and time limits for reaching a remote."""

from pathlib import Path

import msgspec


class CredentialMalformedError(ValueError):
    """The credential holds a line break or a NUL, which Git cannot pass on."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Credential(msgspec.Struct, frozen=True):
    """A user name and a secret for one host; its representation never shows the secret."""

    #: Host and port exactly as the remote's ``authority`` gives them.
    authority: str
    username: str
    secret: str

    def __post_init__(self) -> None:
        """Refuse what Git's credential protocol cannot carry.

        Raises:
            CredentialMalformedError: a line break or NUL in a field.

        Source: git-credential(1), INPUT/OUTPUT FORMAT.
        """
        if any(
            set("\r\n\0") & set(field) for field in (self.authority, self.username, self.secret)
        ):
            raise CredentialMalformedError

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # typing.override is 3.12  # type: ignore[explicit-override]  # typing.override is 3.12
        return f"Credential(authority={self.authority!r})"


class SshIdentity(msgspec.Struct, frozen=True):
    """How ssh proves who we are and whom it believes."""

    #: Host keys that are trusted; a host that is not listed is refused.
    known_hosts: Path
    #: Private key; None leaves the choice to the agent.
    key: Path | None = None
    #: Socket of the ssh agent that may be asked.
    agent: Path | None = None


class Deadlines(msgspec.Struct, frozen=True):
    """When talking to a remote is given up; seconds."""

    #: Whole time to ask for a tip.
    peek_s: float = 30.0
    #: Whole time to fetch.
    fetch_s: float = 3600.0
    #: A transfer below this many bytes a second ...
    low_speed_bytes: int = 1000
    #: ... for this long is given up.
    low_speed_s: int = 60
    #: Longest wait for another process that writes the same mirror.
    lock_s: float = 60.0


class RemoteAccess(msgspec.Struct, frozen=True):
    """Everything besides its address that reaching a remote needs."""

    credential: Credential | None = None
    #: Certificate authorities to trust instead of the system's.
    ca_file: Path | None = None
    ssh: SshIdentity | None = None
    #: Folders that hold every local repository that may be read; None allows all.
    allowed_roots: tuple[Path, ...] | None = None
    deadlines: Deadlines = Deadlines()
