"""The table of commands: name, where it is imported from, one line of help.

A group of commands is a module here; adding one is a module and its rows.
"""

from typing import NamedTuple


class Place(NamedTuple):
    """Where a command is found and what the overview says of it."""

    #: ``module:attribute`` of a ``click.Command``, imported when called.
    target: str
    summary: str


COMMANDS = {
    "up": Place("brain.cli.commands.instance:up", "Start Brain on this machine."),
    "down": Place("brain.cli.commands.instance:down", "Stop it and all its processes."),
    "migrate": Place("brain.cli.commands.migrate:migrate", "Bring a database's schema up to date."),
    "version": Place("brain.cli.commands.version:version", "Print the version."),
}
