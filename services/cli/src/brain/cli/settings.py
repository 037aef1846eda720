"""Settings of the command line and the supervisor: the only reader of the environment.

Each comes from a flag, else the environment (``BRAIN_*``), else ``brain.yaml`` in the data folder,
else its default. Plain tuples rather than Structs: the supervisor lives as long as the product
and msgspec would double its memory.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from brain.cli.errors import PlaceholderTokenError, SettingError

DEFAULT_PORT_BASE = 7700
DEFAULT_DATA = "~/.local/share/brain"
HIGHEST_PORT_BASE = 65534  # NATS listens one above
SHORTEST_TOKEN = 16
PLACEHOLDERS = frozenset(
    {"changemechangeme", "change-me-please", "your-token-here", "your-secret-token", "placeholder"}
)
_KEY = re.compile(r"[a-z][a-z0-9_-]*")


class Settings(NamedTuple):
    """What ``brain up``, ``brain down`` and clients need to know before they act."""

    data: Path
    #: HTTP listens there; NATS one above.
    port_base: int
    #: Set when the API token is not to be generated.
    api_token: str | None
    #: Set when Postgres runs elsewhere.
    database_url: str | None
    #: Set when NATS runs elsewhere.
    nats_url: str | None
    #: The instance a client speaks to; None means the one of the data folder.
    url: str | None
    #: The token a client sends; None means the one of the data folder.
    token: str | None
    #: XDG_RUNTIME_DIR, where the system offers a private folder to the user.
    runtime_folder: Path | None
    #: The whole environment, for the server process (Git, SSH and proxies need theirs), with
    #: ``brain.yaml`` beneath it: key ``allow_path`` of the file as ``BRAIN_ALLOW_PATH``.
    environment: Mapping[str, str]


def read_settings(flags: Mapping[str, str | None], *, default_data: str = DEFAULT_DATA) -> Settings:
    """Settle every setting.

    Args:
        flags: by setting name (``data``, ``port_base``, ``url``, ``token``); None is not given.
        default_data: the data folder when neither flag nor environment names one.

    Raises:
        SettingError: a port base outside 1 to 65534.
        PlaceholderTokenError: BRAIN_API_TOKEN is no secret.
    """
    data = _data_folder(flags.get("data"), os.environ, default_data)
    environment = _settings_file(data / "brain.yaml") | os.environ

    def setting(name: str) -> str | None:
        flag = flags.get(name)
        return environment.get(f"BRAIN_{name.upper()}") if flag is None else flag

    runtime = environment.get("XDG_RUNTIME_DIR")
    return Settings(
        data=data,
        port_base=_port_base(setting("port_base")),
        api_token=_real_token(setting("api_token")),
        database_url=setting("database_url") or None,
        nats_url=setting("nats_url") or None,
        url=setting("url") or None,
        token=setting("token") or None,
        runtime_folder=Path(runtime) if runtime else None,
        environment=environment,
    )


def _data_folder(flag: str | None, environment: Mapping[str, str], default: str) -> Path:
    return Path(flag or environment.get("BRAIN_DATA") or default).expanduser().absolute()


def _settings_file(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    # Loaded on demand: most instances have no such file.
    import yaml  # noqa: PLC0415

    try:
        content = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SettingError(str(path), "unreadable", "YAML") from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise SettingError(str(path), type(content).__name__, "a mapping of settings")
    return {_variable(path, key): _text(value) for key, value in content.items()}


def _variable(path: Path, key: object) -> str:
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise SettingError(f"A key in {path}", str(key), "small letters, digits, - and _")
    return f"BRAIN_{key.upper().replace('-', '_')}"


def _text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _port_base(value: str | None) -> int:
    if value is None:
        return DEFAULT_PORT_BASE
    if value.isascii() and value.isdecimal() and 0 < int(value) <= HIGHEST_PORT_BASE:
        return int(value)
    raise SettingError("The port base", value, f"a number from 1 to {HIGHEST_PORT_BASE}")


def _real_token(value: str | None) -> str | None:
    if value is None:
        return None
    text = value.strip()
    if len(text) < SHORTEST_TOKEN or text.lower() in PLACEHOLDERS or len(set(text)) == 1:
        raise PlaceholderTokenError
    return text
