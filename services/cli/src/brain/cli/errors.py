"""Errors of the command line; the message of each is what the user reads."""


class CliError(Exception):
    """A command cannot do what was asked."""

    #: Stable word for machines.
    code = "failed"


class PlaceholderTokenError(CliError):
    """BRAIN_API_TOKEN is set to something that is no secret."""

    code = "placeholder-token"

    def __init__(self) -> None:
        super().__init__(
            "BRAIN_API_TOKEN is empty, a placeholder or shorter than 16 characters. "
            "Set a random value, or unset it and one is generated."
        )


class SettingError(CliError):
    """A setting has a value that makes no sense."""

    code = "bad-setting"

    def __init__(self, name: str, value: str, expected: str) -> None:
        self.name = name
        self.value = value
        super().__init__(f"{name} is {value!r}; expected {expected}.")


class DataFolderError(CliError):
    """The data folder cannot be used."""

    code = "data-folder"


class StartupError(CliError):
    """Brain could not be started."""

    code = "start-failed"


class StopError(CliError):
    """Brain could not be stopped."""

    code = "stop-failed"
