"""``brain token``."""

import click

from brain.cli.errors import CliError
from brain.cli.invocation import Invocation
from brain.cli.remote import Remote


class NoSuchTokenError(CliError):
    """There is no such token, or it was revoked before."""

    code = "no-such-token"

    def __init__(self, token_id: str) -> None:
        super().__init__(f"There is no living token {token_id[:100]!r}.")


@click.group()
def token() -> None:
    """Make, list and revoke tokens."""


@token.command("create")
@click.argument("name")
@click.option(
    "--permission",
    "permissions",
    multiple=True,
    metavar="P",
    help="Repeatable; project.access and member.read when none is given.",
)
@click.option(
    "--project", "projects", multiple=True, metavar="ID", help="Repeatable; every project if none."
)
@click.option("--person", metavar="ID", help="The person the token stands for.")
@click.option("--expires-in-days", type=click.IntRange(1, 3650), metavar="N")
@click.pass_obj
def create(
    invocation: Invocation,
    name: str,
    permissions: tuple[str, ...],
    projects: tuple[str, ...],
    person: str | None,
    expires_in_days: int | None,
) -> None:
    """Make a token and print it: it is shown this once."""
    body = {
        "name": name,
        "permissions": list(permissions) or ["project.access", "member.read"],
        "projects": list(projects) or None,
        "person": person,
        "expiresInDays": expires_in_days,
    }
    answer = Remote(invocation.settings()).send("POST", "/tokens", body)
    invocation.answer(answer, answer["token"])


@token.command("list")
@click.pass_obj
def list_tokens(invocation: Invocation) -> None:
    """List all tokens without their secrets."""
    answer = Remote(invocation.settings()).get("/tokens")
    lines = [
        f"{each['id']}  {each['name']:<24} {'revoked' if each['revokedAt'] else 'alive':<8}"
        f" {','.join(each['projects'] or ['every project'])}  {','.join(each['permissions'])}"
        for each in answer["tokens"]
    ]
    invocation.answer(answer, "\n".join(lines) or "no tokens")


@token.command("revoke")
@click.argument("token_id", metavar="ID")
@click.pass_obj
def revoke(invocation: Invocation, token_id: str) -> None:
    """Revoke a token; it stops working within seconds everywhere."""
    answer = Remote(invocation.settings()).send("DELETE", f"/tokens/{token_id}")
    if not answer["revoked"]:
        raise NoSuchTokenError(token_id)
    invocation.answer(answer, f"revoked {token_id}")
