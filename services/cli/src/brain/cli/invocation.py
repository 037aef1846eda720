"""What a command knows about the command line that called it."""

import json
import sys
from collections.abc import Mapping

from brain.cli.report import harmless
from brain.cli.settings import DEFAULT_DATA, Settings, read_settings


class Invocation:
    """The global options; commands receive it by ``click.pass_obj``.

    Args:
        flags: global options by setting name; None is not given.
        as_json: whether answers are one JSON object.
    """

    def __init__(self, flags: Mapping[str, str | None], *, as_json: bool) -> None:
        self._flags = dict(flags)
        self.as_json = as_json

    def settings(self, *, default_data: str = DEFAULT_DATA, **flags: str | None) -> Settings:
        """Settle the settings of this call; ``flags`` are the command's own.

        Raises:
            SettingError: one has a value that makes no sense.
        """
        return read_settings(self._flags | flags, default_data=default_data)

    def answer(self, content: Mapping[str, object], text: str) -> None:
        """Print a command's answer on standard output: the object, or the text for people."""
        shown = json.dumps(content) if self.as_json else harmless(text, sys.stdout)
        print(shown, flush=True)
