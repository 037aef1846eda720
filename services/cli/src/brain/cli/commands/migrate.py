"""``brain migrate``."""

import click

from brain.cli.errors import CliError
from brain.cli.invocation import Invocation


class MigrationError(CliError):
    """The schema could not be brought up to date."""

    code = "migration-failed"


@click.command()
@click.pass_obj
def migrate(invocation: Invocation) -> None:
    """Bring the database schema up to date; BRAIN_DATABASE_URL names the database."""
    # Imported here: the table of commands is read by every command line.
    from brain.store.errors import StoreError  # noqa: PLC0415
    from brain.store.migrate import migrate as bring_up_to_date  # noqa: PLC0415

    url = invocation.settings().database_url
    if url is None:
        raise MigrationError("Set BRAIN_DATABASE_URL to the database to migrate.")
    try:
        applied = bring_up_to_date(url)
    except StoreError as error:
        raise MigrationError(str(error)) from error
    text = f"applied {len(applied)} migrations" if applied else "the schema is up to date"
    invocation.answer({"applied": applied}, text)
