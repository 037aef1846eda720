"""The project a call is about, where it need not be named."""

from brain.access.principal import Principal, require_project
from brain.query.errors import BadRequestError
from brain.query.reader import Reader

_MOST_NAMED = 50


async def chosen_project(
    reader: Reader, principal: Principal, project_id: str, parameter: str
) -> str:
    """Return the project a call is about; a token that sees just one need not name it.

    Args:
        reader: knows the projects.
        principal: who asks.
        project_id: as given; empty when it was left out.
        parameter: what the caller would name it with.

    Raises:
        BadRequestError: none is named, and the token sees none or several.
        NoAccessError: there is no such project for this token.
        NotPermittedError: the token lacks ``member.read``.
    """
    if project_id:
        require_project(principal, project_id, "member.read")
        return project_id
    seen = [each for each in await reader.project_ids() if principal.sees(each)]
    if len(seen) != 1:
        choice = f"name one of: {', '.join(seen[:_MOST_NAMED])}."
        raise BadRequestError(parameter, choice if seen else "the token sees none.")
    require_project(principal, seen[0], "member.read")
    return seen[0]
