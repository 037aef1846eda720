"""Remotes: where a repository is, as a user wrote it down."""

import ipaddress
import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HOST = re.compile(r"(?!-)[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")
_URL_PATH = re.compile(r"(?:/[A-Za-z0-9._~%!$&'()*+,;=:@-]+)+/?")
_SCP_LIKE = re.compile(r"(?:(?P<user>[^@:/]+)@)?(?P<host>[^@:/]+):(?P<path>.+)")
_SCP_SEGMENT = r"[A-Za-z0-9._~%!$&'()*+,;=@-]+"
_SCP_PATH = re.compile(rf"(?!-)/?{_SCP_SEGMENT}(?:/{_SCP_SEGMENT})*/?")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?=//|:)")
_MAX_LENGTH = 2048


class RemoteError(ValueError):
    """This is not a repository address Brain accepts."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class RemoteMalformedError(RemoteError):
    """This is neither an https or ssh address nor an absolute path."""


class SchemeRefusedError(RemoteError):
    """Only https, ssh and absolute paths are accepted, and http on this machine alone."""


class CredentialsInRemoteError(RemoteError):
    """The address holds a user name or a password: configure the credential apart from it."""


class NetworkRemote(msgspec.Struct, frozen=True):
    """A repository that is reached over the network; holds no secret."""

    #: What Git is called with.
    url: str
    #: How Git's protocol allow-list names the transport.
    scheme: Literal["https", "http", "ssh"]
    #: Lower case, IPv6 in brackets, without port.
    host: str
    #: None for the scheme's own.
    port: int | None = None

    @property
    def authority(self) -> str:
        """Return host and port as a URL writes them."""
        return self.host if self.port is None else f"{self.host}:{self.port}"


class LocalRemote(msgspec.Struct, frozen=True):
    """A repository on a file system of this machine."""

    #: Absolute: a checkout, a linked worktree, a ``.git`` directory or a bare repository.
    path: Path


Remote = NetworkRemote | LocalRemote


def parse_remote(text: str) -> Remote:
    """Read a repository address as a user gave it.

    Accepted are ``https://host/path``, ``ssh://[user@]host/path``, ``[user@]host:path``,
    ``http://`` on loopback, and an absolute path. Everything that Git would run a command for
    (``ext::``, ``fd::``) or read as an option is refused, and so is any secret in the address:
    an address is stored, shown and logged.

    Raises:
        RemoteMalformedError: no address, control characters, a leading hyphen, too long.
        SchemeRefusedError: any other transport, ``file://`` included, or http to another machine.
        CredentialsInRemoteError: a password anywhere, or a user name over http; the error does not
            repeat the address.

    Source: git-clone(1), GIT URLS, narrowed.
    """
    if not text or len(text) > _MAX_LENGTH or _CONTROL.search(text):
        raise RemoteMalformedError
    if text.startswith("/"):
        return LocalRemote(Path(text))
    if text.startswith(("https://", "http://", "ssh://")):
        return _parse_url(text)
    if _SCHEME.match(text):
        raise SchemeRefusedError
    return _parse_scp_like(text)


def _parse_url(text: str) -> NetworkRemote:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        # The error of urllib repeats the address.
        raise RemoteMalformedError from None
    scheme = _scheme(parts.scheme)
    user, at, netloc = parts.netloc.rpartition("@")
    _refuse_secret(user, at, scheme)
    host = netloc.removesuffix(f":{port}") if port is not None else netloc
    malformed = parts.query or parts.fragment or port == 0
    if malformed or not _HOST.fullmatch(host) or not _sound_path(_URL_PATH, parts.path):
        raise RemoteMalformedError
    if scheme == "http" and not is_loopback(host):
        raise SchemeRefusedError
    url = f"{scheme}://{user}{at}{netloc.lower()}{parts.path}"
    return NetworkRemote(url, scheme, host.lower(), port)


def _parse_scp_like(text: str) -> NetworkRemote:
    match = _SCP_LIKE.fullmatch(text)
    if match is None:
        raise RemoteMalformedError
    if "@" in match["path"] and ":" in match["path"]:
        # user:password@host:path; an "@" alone may well stand in a path.
        raise CredentialsInRemoteError
    user, host = match["user"], match["host"]
    sound = _HOST.fullmatch(host) and _sound_path(_SCP_PATH, match["path"])
    if not sound or (user is not None and not _USER.fullmatch(user)):
        raise RemoteMalformedError
    return NetworkRemote(text, "ssh", host.lower())


def _scheme(scheme: str) -> Literal["https", "http", "ssh"]:
    if scheme == "https":
        return "https"
    return "http" if scheme == "http" else "ssh"


def _refuse_secret(user: str, at: str, scheme: str) -> None:
    # Forges take a token as the user name over http, so there a user name is a secret too.
    if ":" in user or (at and scheme != "ssh"):
        raise CredentialsInRemoteError
    if at and not _USER.fullmatch(user):
        raise RemoteMalformedError


def _sound_path(pattern: re.Pattern[str], path: str) -> bool:
    return pattern.fullmatch(path) is not None and not {".", ".."} & set(path.split("/"))


def is_loopback(host: str) -> bool:
    """Tell whether *host*, as written in a URL, can only be this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
