"""The entry of the command line."""

import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

import click
from typing_extensions import override

from brain.cli.argv import globals_first
from brain.cli.commands import COMMANDS
from brain.cli.errors import CliError
from brain.cli.invocation import Invocation
from brain.cli.report import print_error
from brain.embedded.errors import EmbeddedError

EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130


class LazyGroup(click.Group):
    """Commands of the table ``COMMANDS``; each is imported when it is called."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command, in the table's order."""
        return list(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with the table's summary, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.summary) for name, place in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", metavar="DIR", help="Data folder of the instance.  [env: BRAIN_DATA]")
@click.option("--url", metavar="URL", help="Address of the instance.  [env: BRAIN_URL]")
@click.option("--token", metavar="TOKEN", help="Token to send.  [env: BRAIN_TOKEN]")
@click.option("--json", "as_json", is_flag=True, help="Answer and problems as JSON.")
@click.pass_context
def brain(
    ctx: click.Context, data: str | None, url: str | None, token: str | None, *, as_json: bool
) -> None:
    """Turn the Markdown in Git repositories into a tree to browse, climb and cite.

    These options may stand anywhere on the command line.
    """
    ctx.obj = Invocation({"data": data, "url": url, "token": token}, as_json=as_json)


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code: 0, 1, 2 for usage, 130 when interrupted."""
    ordered = globals_first(argv)
    as_json = "--json" in ordered[: ordered.index("--")] if "--" in ordered else "--json" in ordered
    try:
        outcome = brain.main(ordered, prog_name="brain", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except click.UsageError as error:
        hint = "" if error.ctx is None else f" See: {error.ctx.command_path} --help"
        print_error("usage", error.format_message() + hint, as_json=as_json)
        return EXIT_USAGE
    except (CliError, EmbeddedError) as error:
        print_error(error.code, str(error), as_json=as_json)
        return EXIT_FAILED
    except (KeyboardInterrupt, click.Abort):
        return EXIT_INTERRUPTED
    return outcome if isinstance(outcome, int) else 0


def main() -> NoReturn:
    """Run the process's own command line."""
    sys.exit(run(sys.argv[1:]))
