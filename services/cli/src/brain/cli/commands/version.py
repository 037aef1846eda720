"""``brain version``."""

import importlib.metadata

import click

from brain.cli.invocation import Invocation


@click.command()
@click.pass_obj
def version(invocation: Invocation) -> None:
    """Print the version."""
    number = importlib.metadata.version("brain-cli")
    invocation.answer({"version": number}, f"brain {number}")
