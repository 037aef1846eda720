"""Settings of the one-process host: those of the services it hosts."""

import msgspec

from brain.builder.settings import Settings as BuilderSettings
from brain.read_api.settings import Settings as ReadApiSettings
from brain.sync_watcher.settings import Settings as WatcherSettings

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Settings(msgspec.Struct, frozen=True):
    """What each hosted service needs to know."""

    watcher: WatcherSettings
    builder: BuilderSettings
    api: ReadApiSettings

    @classmethod
    def from_env(cls) -> "Settings":
        """Read the settings of every service.

        On loopback any local repository that we can read may be added: whoever reaches the port
        is the person at this machine.

        Raises:
            KeyError: a required variable is missing.
        """
        watcher = WatcherSettings.from_env()
        api = ReadApiSettings.from_env()
        if api.host in _LOOPBACK and watcher.allowed_paths == ():
            watcher = msgspec.structs.replace(watcher, allowed_paths=None)
        return cls(watcher, BuilderSettings.from_env(), api)
