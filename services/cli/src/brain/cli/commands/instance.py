"""``brain up`` and ``brain down``."""

import click

from brain.cli.invocation import Invocation
from brain.cli.launch import become_supervisor, launch_detached
from brain.cli.report import TerminalReporter
from brain.cli.stopping import stop_instance


@click.command()
@click.option(
    "--port-base",
    type=click.IntRange(1, 65534),
    metavar="N",
    help="HTTP on port N, NATS on N+1.  [env: BRAIN_PORT_BASE; default: 7700]",
)
@click.option("--detach", is_flag=True, help="Return once ready; it runs in the background.")
@click.pass_obj
def up(invocation: Invocation, port_base: int | None, *, detach: bool) -> int:
    """Start Brain on this machine and say where it is reached.

    Starts Postgres and NATS (unless BRAIN_DATABASE_URL or BRAIN_NATS_URL name others) and the
    server. An instance that runs already is reported and left alone.
    """
    settings = invocation.settings(port_base=None if port_base is None else str(port_base))
    if not detach:
        become_supervisor(settings, as_json=invocation.as_json)
    reporter = TerminalReporter(as_json=invocation.as_json, detached=True)
    return launch_detached(settings, reporter)


@click.command()
@click.pass_obj
def down(invocation: Invocation) -> None:
    """Stop Brain; return once all its processes ended."""
    stopped = stop_instance(invocation.settings().data)
    text = "Brain stopped." if stopped else "Brain was not running."
    invocation.answer({"stopped": stopped}, text)
